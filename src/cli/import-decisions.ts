/** What becomes of each server of an import: said by flags, or by the person. */
import { plural } from '../base/index.ts';
import type { ConflictChoice, ImportDecision, ImportPlan, PlannedServer } from '../config/index.ts';
import type { CommandContext } from './command.ts';
import { askChoice, askYesOrNo, canAsk } from './questions.ts';

/** The first is the one that changes nothing. */
export const conflictChoices = ['keep', 'replace', 'rename'] as const satisfies readonly ConflictChoice[];

/** How the flags of `import` answer. */
export interface ImportAnswers {
  readonly yes: boolean;
  readonly conflicts: string | undefined;
  readonly secrets: string | undefined;
}

export interface Decided {
  readonly decisions: readonly ImportDecision[];
}

/** Decides; undefined when nobody said yes. Asks once for everything, then for each conflict, then for the secrets. */
export async function decide(
  context: CommandContext,
  plan: ImportPlan,
  answers: ImportAnswers,
): Promise<Decided | undefined> {
  const open = plan.servers.filter(({ state }) => state !== 'equal');
  if (open.length === 0) return { decisions: [] };
  if (!answers.yes && !(await isWanted(context, open))) return undefined;
  const decisions: ImportDecision[] = [];
  for (const server of open)
    decisions.push({ server, choice: await choiceFor(context, server, answers), moveSecrets: false });
  const secrets = decisions.filter(({ server, choice }) => server.state === 'new' || choice !== 'keep');
  const count = secrets.reduce((sum, { server }) => sum + server.secrets.length, 0);
  const moveSecrets = count > 0 && (await areMoved(context, count, answers));
  if (moveSecrets === undefined) return undefined;
  return { decisions: decisions.map((decision) => ({ ...decision, moveSecrets })) };
}

async function isWanted(context: CommandContext, open: readonly PlannedServer[]): Promise<boolean> {
  if (!canAsk(context)) return false;
  const files = [...new Set(open.map(({ target }) => target))].join(', ');
  const fresh = open.filter(({ state }) => state === 'new').length;
  const conflicts = open.length - fresh;
  const others = conflicts === 0 ? '' : `, and be asked about ${conflicts} in conflict`;
  const question =
    fresh === 0
      ? `Decide on ${plural(conflicts, 'server')} in conflict, in ${files}?`
      : `Import ${plural(fresh, 'server')} into ${files}${others}?`;
  return (await askYesOrNo(context, question, false)) === true;
}

async function choiceFor(
  context: CommandContext,
  server: PlannedServer,
  answers: ImportAnswers,
): Promise<ConflictChoice> {
  const said = conflictChoices.find((choice) => choice === answers.conflicts);
  if (said !== undefined || server.state !== 'conflict') return said ?? 'keep';
  if (answers.yes) return 'keep';
  const { name } = server.found;
  const question = `${name} is there already and differs in ${server.differs.join(', ')}: keep it, replace it, or add this one as ${server.renamed}?`;
  return askChoice(context, question, conflictChoices);
}

/** Undefined where this is not answered: whoever leaves here has not agreed to what would be written. */
async function areMoved(context: CommandContext, count: number, answers: ImportAnswers): Promise<boolean | undefined> {
  if (answers.secrets !== undefined) return answers.secrets === 'move';
  if (answers.yes) return true;
  const question = `${plural(count, 'secret')} ${count === 1 ? 'stands' : 'stand'} written out in these entries. Keep ${count === 1 ? 'it' : 'them'} in the secret store instead?`;
  return askYesOrNo(context, question, true);
}
