import { expect, it, onTestFinished } from 'vitest';
import trestle from './extension.ts';
import type { Pi, PiContext } from './pi.ts';

it('N1: on a Node.js too old for Trestle there are no tools and one line, and Pi goes on', () => {
  const versions = Object.getOwnPropertyDescriptor(process, 'versions') ?? {};
  onTestFinished(() => void Object.defineProperty(process, 'versions', versions));
  Object.defineProperty(process, 'versions', { ...versions, value: { ...process.versions, node: '20.6.0' } });
  const heard: string[] = [];
  let start: ((event: unknown, context: PiContext) => unknown) | undefined;
  // Without the other members: whatever is called of them is an error.
  const pi = {
    on(event: string, handler: typeof start) {
      expect(event).toBe('session_start');
      start = handler;
    },
  } as unknown as Pi;
  trestle(pi);
  start?.({}, { hasUI: true, ui: { notify: (text: string) => void heard.push(text) } } as unknown as PiContext);
  expect(heard).toEqual(['Trestle needs Node.js 22.19 or later, and this is 20.6.0: no MCP tools.']);
});
