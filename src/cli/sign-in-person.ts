/** The person at this command who signs in: a browser where one can be opened, and in any case the address to open by hand. */
import { TrestleError } from '../base/index.ts';
import type { SignInRequest } from '../runtime/index.ts';
import type { Dialogs } from './dialogs.ts';
import type { Output } from './output.ts';
import type { Surroundings } from './surroundings.ts';

type Person = SignInRequest['person'];

export interface SignInPlace {
  readonly output: Output;
  readonly surroundings: Pick<Surroundings, 'env' | 'platform' | 'readLine'>;
  /** Of a host; without them a person sits at a terminal. */
  readonly dialogs?: Dialogs | undefined;
  /** No browser is opened here. */
  readonly noBrowser?: boolean;
}

export function signInPerson({ output, surroundings, dialogs, noBrowser = false }: SignInPlace): Person {
  const { env, platform } = surroundings;
  const open = async (url: string): Promise<boolean> => {
    if (noBrowser) return false;
    const { openPage } = await import('../wire/index.ts');
    return openPage(url, { env, platform });
  };
  const whatToOpen: WhatToOpen = async (url) => {
    const isOpened = await open(url);
    return { isOpened, text: isOpened ? 'Sign in in the browser; if no page has opened, open:' : 'To sign in, open:' };
  };
  return dialogs === undefined
    ? personAtTerminal({ output, surroundings }, whatToOpen)
    : personAtDialog(dialogs, whatToOpen);
}

/** Opens the page where that can be done; what a person is told beside its address. */
type WhatToOpen = (url: string) => Promise<{ readonly isOpened: boolean; readonly text: string }>;

function personAtTerminal({ output, surroundings }: SignInPlace, whatToOpen: WhatToOpen): Person {
  return {
    async showPage(url) {
      const { isOpened, text } = await whatToOpen(url);
      output.error(`${text}\n\n  ${url}\n\n`);
      if (isOpened) return;
      output.error(
        'The answer is waited for here. If that browser is on another machine, paste the address where it ended:\n',
      );
    },
    async pasted(signal) {
      // What draws progress would draw over the address, and over what is typed.
      using held = output.hold();
      void held;
      return await pastedLine(surroundings, signal);
    },
  };
}

/** The dialog is there while the answer is waited for: who closes it wants no sign-in. */
function personAtDialog(dialogs: Dialogs, whatToOpen: WhatToOpen): Person {
  let about: readonly string[] = [];
  return {
    async showPage(url) {
      const { text } = await whatToOpen(url);
      about = [
        text,
        '',
        url,
        '',
        'The answer is waited for. If that browser is on another machine, paste the address where it ended.',
      ];
    },
    async pasted(signal) {
      for (;;) {
        const line = await dialogs.enter(about, signal);
        if (line === undefined) throw new TrestleError({ code: 'cancelled', message: 'The sign-in was given up.' });
        if (line.trim() !== '') return line;
      }
    },
  };
}

/** The first line that holds something. An input that ends without one says nothing: the browser may still bring the answer. */
async function pastedLine({ readLine }: Pick<Surroundings, 'readLine'>, signal: AbortSignal): Promise<string> {
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
