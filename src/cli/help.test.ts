import { describe, expect, it } from 'vitest';
import { commandTable } from './commands.ts';
import { renderHelp, renderOverview } from './help.ts';
import { createStyle } from './render/style.ts';

const program = { name: 'trestle' };
const at = (columns: number): Parameters<typeof renderOverview>[1] => ({ style: createStyle(false, {}), columns });
/** Command lines are there to be pasted, so they stand whole. */
const isCommandLine = (line: string): boolean => line.startsWith('  trestle ');

describe('help', () => {
  it('L4: the overview has every command once, and its words whole at any width', () => {
    const text = renderOverview(program, at(60)).join(' ').replaceAll(/ +/g, ' ');
    for (const { name, aliases, brief } of commandTable)
      expect(text.split(` ${[name, ...aliases].join(', ')} ${brief} `)).toHaveLength(2);
  });

  it.each([48, 60, 80, 100])('L4: every help fits into a terminal of %i columns', async (columns) => {
    const helps = await Promise.all(
      commandTable.map(async (command) => renderHelp(await command.load(), program, at(columns))),
    );
    const lines = [...renderOverview(program, at(columns)), ...helps.flat()].filter((line) => !isCommandLine(line));
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });

  it('L4: a flag of many words stands above what it does, and leaves the others their room', async () => {
    const add = commandTable.find(({ name }) => name === 'add');
    const lines = add === undefined ? [] : renderHelp(await add.load(), program, at(80));
    const wide = lines.indexOf('      --transport auto|streamable|sse|events');
    expect(lines[wide + 1]).toMatch(/^ {2,28}HTTP transport\. Default: auto\.$/);
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {6}--url URL {2,15}The server is reached over HTTP at URL\.$/),
    );
  });

  it('L4: what stands in braces is not torn from them', async () => {
    const helps = await Promise.all(
      commandTable.map(async (command) => renderHelp(await command.load(), program, at(80))),
    );
    expect(helps.flat().filter((line) => /^ *[}\]]|[{[]$/.test(line))).toEqual([]);
  });
});
