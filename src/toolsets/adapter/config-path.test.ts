import { describe, expect, it } from 'vitest';
import { configPathProblem } from './config-path.ts';

describe('a path that a model gives', () => {
  it.each([
    ['//server/share/servers.json', /another machine/],
    [String.raw`\\server\share\servers.json`, /another machine/],
    [String.raw`\\?\C:\servers.json`, /another machine/],
    ['sub/con.json', /a device/],
    [String.raw`sub\NUL`, /a device/],
  ])('A1: %s is not looked at on Windows, and is an ordinary one elsewhere', (path, problem) => {
    expect(configPathProblem(path, 'win32')).toMatch(problem);
    expect(configPathProblem(path, 'linux')).toBeUndefined();
  });

  it.each(['win32', 'linux'])('A1: a NUL character is refused on %s, ordinary paths are not', (platform) => {
    expect(configPathProblem('a\0.json', platform)).toMatch(/NUL/);
    for (const path of ['.mcp.json', '../a/servers.json', 'C:/a/console.json', '/etc/a.json']) {
      expect(configPathProblem(path, platform)).toBeUndefined();
    }
  });
});
