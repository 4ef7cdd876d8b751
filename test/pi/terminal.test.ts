/** Pi as a person has it: in a terminal, with its rows, its footer and its completion. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testServer } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { entryOf, piPlace, processesOf, scriptedModel, sectionOf, syncServers } from '../support/pi.ts';
import { noTerminal, openPiTerminal } from '../support/pi-terminal.ts';
import { callTool, repeatResults } from '../support/scripted-model.ts';

describe.skipIf(noTerminal !== undefined)(`in a terminal${noTerminal === undefined ? '' : ` (${noTerminal})`}`, () => {
  it('N1: a prompt takes the section to the model and its call to a real server; the row names server and tool', async () => {
    const model = await scriptedModel(callTool('counting', 'echo', { message: 'hello there' }), repeatResults);
    const place = piPlace(model);
    syncServers(place, { counting: entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, 'ran'))) });
    const terminal = openPiTerminal(place);
    await terminal.shows('scripted');
    terminal.type('say hello');
    terminal.press('Enter');
    await terminal.shows('FINAL hello there');
    expect(terminal.screen()).toMatch(/counting.*echo/);
    expect(sectionOf(model.requests[0])).toContain('## counting');
    terminal.press('C-d');
    await eventually(() => processesOf(place).length === 0, 'the end of every process');
  });

  it('N1: an expanded row says how long a call took and that the server executed it; Esc ends one, also at the server', async () => {
    const model = await scriptedModel(callTool('counting', 'fail'), { text: 'FINAL' }, callTool('counting', 'hang'));
    const place = piPlace(model);
    const file = join(place.userHome, 'ran');
    syncServers(place, { counting: entryOf(testServer('counting.mjs', 'stdio', file)) });
    const terminal = openPiTerminal(place);
    await terminal.shows('scripted');
    terminal.type('fail');
    terminal.press('Enter');
    await terminal.shows('FINAL');
    expect(terminal.screen()).not.toContain('execution');
    terminal.press('C-o');
    await terminal.shows(/\d m?s · tool-error · execution: done/);
    terminal.type('hang');
    terminal.press('Enter');
    const ran = (): string => readFileSync(file, 'utf8');
    await eventually(() => ran().includes('call hang'), 'the call');
    terminal.press('Escape');
    await terminal.shows('cancelled');
    await eventually(() => ran().includes('cancelled'), 'the notice at the server');
  });

  it('N1: the footer tells of servers, tools and tokens, and the setting switches it off', async () => {
    const model = await scriptedModel();
    const place = piPlace(model);
    syncServers(place, { counting: entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, 'ran'))) });
    const terminal = openPiTerminal(place);
    await terminal.shows(/mcp 0\/1 · 11 tools · .*tok/);
    place.write('mcp-bridge.json', { footer: false });
    const other = openPiTerminal(place);
    await other.shows('scripted');
    other.type('hello');
    other.press('Enter');
    await other.shows('The script is at its end.');
    expect(other.screen()).not.toContain('mcp 0/1');
  });

  it('N1: Esc ends what `/mcp-bridge` is doing, as the footer says, and nothing else', async () => {
    const model = await scriptedModel();
    const place = piPlace(model, { servers: { mute: entryOf(testServer('one-vice.mjs', 'mute')) } });
    const terminal = openPiTerminal(place);
    await terminal.shows('mcp 0/1');
    terminal.type('/mcp-bridge sync mute');
    terminal.press('Enter');
    await terminal.shows(/mute: .*Esc ends it/);
    terminal.press('Escape');
    await terminal.shows('error[cancelled]');
    terminal.type('hello');
    terminal.press('Enter');
    await expect(terminal.shows('The script is at its end.')).resolves.toBeUndefined();
  });

  it('N1: `/mcp-bridge` completes its subcommands and the names of servers', async () => {
    const model = await scriptedModel();
    const place = piPlace(model);
    syncServers(place, { counting: entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, 'ran'))) });
    const terminal = openPiTerminal(place);
    await terminal.shows('scripted');
    terminal.type('/mcp-bridge sy');
    await terminal.shows('sync');
    terminal.press('Tab');
    terminal.type(' cou');
    await expect(terminal.shows(/counting\s/)).resolves.toBeUndefined();
  });
});
