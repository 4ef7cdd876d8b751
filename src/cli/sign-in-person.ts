/** The person at this command who signs in: a browser where one can be opened, and in any case the address to open by hand. */
import { TrestleError } from '../base/index.ts';
import type { SignInRequest } from '../runtime/index.ts';
import type { Dialogs } from './dialogs.ts';
import type { Output } from './output.ts';
import type { Surroundings } from './surroundings.ts';

type Person = SignInRequest['person'];

export interface SignInPlace {
  readonly output: Output;
  readonly surroundings: Machine & Pick<Surroundings, 'readLine'>;
  /** Of a host; without them a person sits at a terminal. */
  readonly dialogs?: Dialogs | undefined;
  /** No browser is opened here. */
  readonly noBrowser?: boolean;
}

/** Where a browser may be. */
type Machine = Pick<Surroundings, 'env' | 'platform'>;

export function signInPerson({ output, surroundings, dialogs, noBrowser = false }: SignInPlace): Person {
  return dialogs === undefined
    ? personAtTerminal({ output, surroundings, noBrowser })
    : personAtDialogs(dialogs, surroundings, noBrowser);
}

async function openPage(url: string, { env, platform }: Machine): Promise<boolean> {
  const { openPage } = await import('../wire/index.ts');
  return openPage(url, { env, platform });
}

const toOpen = 'To sign in, open:';
const opened = 'Sign in in the browser; if no page has opened, open:';

function personAtTerminal({ output, surroundings, noBrowser = false }: SignInPlace): Person {
  const { readLine } = surroundings;
  return {
    async showPage(url) {
      const isOpened = !noBrowser && (await openPage(url, surroundings));
      output.error(`${isOpened ? opened : toOpen}\n\n  ${url}\n\n`);
      if (isOpened) return;
      const paste = 'If that browser is on another machine, paste the address where it ended:';
      output.error(`The answer is waited for here.${readLine === undefined ? '' : ` ${paste}`}\n`);
    },
    ...(readLine === undefined
      ? {}
      : {
          async pasted(signal) {
            // What draws progress would draw over the address, and over what is typed.
            using held = output.hold();
            void held;
            return await pastedLine(readLine, signal);
          },
        }),
  };
}

/** A dialog is there while the answer is waited for: who closes it wants no sign-in. */
export function personAtDialogs(dialogs: Dialogs, machine: Machine, noBrowser = false): Person {
  return {
    async showPage(url) {
      if (!noBrowser) await openPage(url, machine);
    },
    async pasted(signal, page) {
      const waiting =
        'The answer is waited for. If that browser is on another machine, paste the address where it ended.';
      for (;;) {
        const line = await dialogs.enter([noBrowser ? toOpen : opened, '', page, '', waiting], signal);
        if (line === undefined) throw new TrestleError({ code: 'cancelled', message: 'The sign-in was given up.' });
        if (line.trim() !== '') return line;
      }
    },
  };
}

/** The first line that holds something. An input that ends without one says nothing: the browser may still bring the answer. */
async function pastedLine(readLine: NonNullable<Surroundings['readLine']>, signal: AbortSignal): Promise<string> {
  for (;;) {
    const line = await readLine(signal);
    if (line === undefined) return await aborted(signal);
    if (line.trim() !== '') return line;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
