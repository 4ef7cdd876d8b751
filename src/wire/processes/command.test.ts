import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { StdioEndpoint } from '../endpoint.ts';
import { prepareCommand } from './command.ts';

/** A folder with one file, as the only folder of PATH. */
function endpointWith(file: string, command: string, args: readonly string[] = []): StdioEndpoint {
  const cwd = tempFolder();
  writeFileSync(join(cwd, file), '');
  chmodSync(join(cwd, file), 0o755);
  return {
    kind: 'stdio',
    command,
    args,
    cwd,
    env: { Path: `;${cwd}`, PATHEXT: '.EXE;.CMD', ComSpec: String.raw`C:\cmd.exe` },
  };
}

describe('commands on Windows', () => {
  it('T1: programs are found by PATH and PATHEXT and started as they are', () => {
    const endpoint = endpointWith('tool.EXE', 'tool', ['a b', '%X%', '"']);
    expect(prepareCommand(endpoint, 's', 'win32')).toEqual({
      file: join(endpoint.cwd, 'tool.EXE'),
      args: endpoint.args,
      env: endpoint.env,
      verbatim: false,
    });
  });

  it('T1: scripts go through the command interpreter, every item in quotes', () => {
    const endpoint = endpointWith('npx.CMD', 'npx', [
      '-y',
      'a b',
      '',
      'x&calc',
      String.raw`C:\dir\ `.trim(),
      '^|<>()!',
    ]);
    const script = join(endpoint.cwd, 'npx.CMD');
    expect(prepareCommand(endpoint, 's', 'win32')).toEqual({
      file: String.raw`C:\cmd.exe`,
      args: ['/d', '/s', '/v:off', '/c', String.raw`""${script}" "-y" "a b" "" "x&calc" "C:\dir\\" "^|<>()!""`],
      env: endpoint.env,
      verbatim: true,
    });
  });

  it.each(['"', '%PATH%', 'a\nb', '\r'])('T1: %j cannot be passed to a script safely and is refused', (argument) => {
    const refused = (): unknown => prepareCommand(endpointWith('npx.CMD', 'npx', [argument]), 's', 'win32');
    expect(refused).toThrow(expect.objectContaining({ code: 'spawn_failed', server: 's' }) as Error);
  });

  it('T1: a command that is nowhere is named', () => {
    const missing = (): unknown => prepareCommand(endpointWith('tool.txt', 'tool'), 's', 'win32');
    expect(missing).toThrow(expect.objectContaining({ code: 'command_not_found' }) as Error);
  });
});

it('T1: a working folder that is a file, or a relative one, is refused', () => {
  const endpoint = endpointWith('tool', 'tool');
  for (const cwd of [join(endpoint.cwd, 'tool'), '.', '']) {
    const start = (): unknown => prepareCommand({ ...endpoint, cwd }, 's', 'linux');
    expect(start).toThrow(expect.objectContaining({ code: 'cwd_not_found' }) as Error);
  }
});
