/** What imported servers need to be told by a person: asked once, and kept as secrets. */
import type { ImportedServer, InputQuestion, PlannedServer } from '../config/index.ts';
import type { SecretStore } from '../secrets/index.ts';
import type { CommandContext } from './command.ts';
import { askChoice, askText, canAsk } from './questions.ts';
import { cell } from './render/cell.ts';
import { commandLine } from './typed-command.ts';

export interface Keeping {
  readonly openStore: () => Promise<SecretStore>;
  readonly keepSecret: (name: string, value: string) => Promise<void>;
}

/** Asks for what is not kept yet; says how to give it later where nobody answers. */
export async function keepAnswers(
  context: CommandContext,
  imported: readonly ImportedServer[],
  { openStore, keepSecret }: Keeping,
): Promise<void> {
  const questions = new Map(
    imported.flatMap(({ server }) => server.found.inputs.map((input) => [input.secret, input])),
  );
  if (questions.size === 0) return;
  const store = await openStore();
  const kept = new Set(await store.names());
  for (const question of questions.values()) {
    if (kept.has(question.secret)) continue;
    const answer = await answerTo(context, question);
    if (answer !== undefined && answer !== '') await keepSecret(question.secret, answer);
    else
      context.output.note(
        `${question.secret} is still to be set: ${commandLine(context.typed, 'secret', 'set', question.secret)}`,
      );
  }
}

async function answerTo(context: CommandContext, question: InputQuestion): Promise<string | undefined> {
  if (!canAsk(context)) return undefined;
  const text = cell(question.description, 200);
  const [first, ...others] = question.options ?? [];
  if (first !== undefined) return askChoice(context, text, [first, ...others]);
  const usual =
    question.fallback === undefined || question.fallback === '' ? '' : ` (usually ${cell(question.fallback)})`;
  return (await askText(context, `${text}${usual}`, question.hidden)) ?? question.fallback;
}

/** Names secrets that were moved by an earlier import and have another value in the other tool's file by now: which one holds is not guessed. */
export async function noteChangedSecrets(
  context: CommandContext,
  servers: readonly PlannedServer[],
  openStore: () => Promise<SecretStore>,
): Promise<void> {
  const moved = servers.filter(({ state }) => state === 'equal').flatMap(({ secrets }) => secrets);
  if (moved.length === 0) return;
  const store = await openStore();
  const kept = new Set(await store.names());
  for (const { secret, value, member } of moved.filter(({ secret: name }) => kept.has(name))) {
    if ((await store.get(secret)) === value) continue;
    const command = commandLine(context.typed, 'secret', 'set', secret);
    context.output.note(
      `The secret ${secret} differs from what stands in ${member} there; to take that one: ${command}`,
    );
  }
}
