/** Pi's dialogs, for whatever has to be asked. */
import { type Dialogs, personAtDialogs, questionText } from '../../cli/index.ts';
import type { Choice, HostPorts } from '../../runtime/index.ts';
import type { PiContext } from './pi.ts';

type Asked = Pick<PiContext, 'ui'>;

/** How a command asks; `before` each question it shows what it has said so far. */
export function dialogsOf({ ui }: Asked, before: () => Promise<void> = () => Promise.resolve()): Dialogs {
  return {
    async confirm(about, signal) {
      await before();
      // What is chosen already must change nothing.
      const chosen = await ui.select(about.join('\n'), ['No', 'Yes'], { signal });
      return chosen === 'Yes';
    },
    async choose(about, choices, signal) {
      await before();
      const chosen = await ui.select(about.join('\n'), [...choices], { signal });
      return choices.find((choice) => choice === chosen);
    },
    async enter(about, signal) {
      await before();
      return ui.input(about.join('\n'), '', { signal });
    },
  };
}

/** Asks the questions that stand in the way of a call. */
export function askIn({ ui }: Asked): NonNullable<HostPorts['ask']> {
  return async (question, signal) => {
    const choices = noFirst(question.choices);
    const chosen = await ui.select(
      questionText(question),
      choices.map(({ label }) => label),
      { signal, timeout: question.deadlineMs },
    );
    return choices.find(({ label }) => label === chosen)?.id;
  };
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
