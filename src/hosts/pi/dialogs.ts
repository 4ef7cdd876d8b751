/** Pi's dialogs, for whatever has to be asked. */
import { type Clock, delay, limits, systemClock } from '../../base/index.ts';
import { type Dialogs, personAtDialogs, questionText } from '../../cli/index.ts';
import type { Choice, HostPorts } from '../../runtime/index.ts';
import type { PiContext, PiUi } from './pi.ts';

type Asked = Pick<PiContext, 'ui'>;

/** Those of this process, which has one terminal. */
let open = 0;

/** Whether Esc means one of our dialogs. */
export function isDialogOpen(): boolean {
  return open > 0;
}

async function whileOpen<T>(dialog: Promise<T>): Promise<T> {
  open += 1;
  try {
    return await dialog;
  } finally {
    open -= 1;
  }
}

/** How a command asks; `before` each question it shows what it has said so far. */
export function dialogsOf({ ui }: Asked, before: () => Promise<void> = () => Promise.resolve()): Dialogs {
  return {
    async confirm(about, usual, signal) {
      await before();
      // The first one is chosen already.
      const choices = usual ? ['Yes', 'No'] : ['No', 'Yes'];
      const chosen = await whileOpen(ui.select(about.join('\n'), choices, { signal }));
      return choices.includes(chosen ?? '') ? chosen === 'Yes' : undefined;
    },
    async choose(about, choices, signal) {
      await before();
      const chosen = await whileOpen(ui.select(about.join('\n'), [...choices], { signal }));
      return choices.find((choice) => choice === chosen);
    },
    async enter(about, signal) {
      await before();
      return await whileOpen(ui.input(about.join('\n'), '', { signal }));
    },
  };
}

/** Asks the questions that stand in the way of a call. */
export function askIn({ ui }: Asked, clock = systemClock): NonNullable<HostPorts['ask']> {
  return async (question, signal) => {
    const choices = noFirst(question.choices);
    const askedMs = clock.monotonicMs();
    await untilNobodyTypes(ui, { signal, clock });
    const chosen = await whileOpen(
      ui.select(
        questionText(question),
        choices.map(({ label }) => label),
        { signal, timeout: question.deadlineMs },
      ),
    );
    // Pi counts whole seconds.
    const isLate = Math.ceil((clock.monotonicMs() - askedMs) / 1_000) * 1_000 >= question.deadlineMs;
    // Who closes a dialog is there, and has said no.
    return choices.find(({ label }) => label === chosen)?.id ?? (isLate || signal.aborted ? undefined : 'no');
  };
}

/** A list that opens under the hands of a person who types is answered by what they type: `j` goes down in it, and Enter takes. */
async function untilNobodyTypes(ui: PiUi, { signal, clock }: { signal: AbortSignal; clock: Clock }): Promise<void> {
  let before = '';
  while (!signal.aborted) {
    const line = ui.getEditorText?.() ?? '';
    if (line === before) return;
    before = line;
    await delay(clock, limits.typingPauseMs, signal);
  }
}

/** Whoever signs in, after their own yes to a question that said so. */
export function personIn(context: Asked): NonNullable<HostPorts['person']> {
  const { env, platform } = process;
  return personAtDialogs(dialogsOf(context), { env, platform });
}

/** Pi's list begins at its first line, and Enter takes that. */
function noFirst(choices: readonly Choice[]): readonly Choice[] {
  return choices.toSorted((one, other) => Number(other.id === 'no') - Number(one.id === 'no'));
}
