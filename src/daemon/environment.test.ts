import { expect, it } from 'vitest';
import { Callers } from './callers.ts';
import { daemonEnvironment, valuesOf } from './environment.ts';

it('L7: the daemon’s own environment holds no secret of its starter, proxies among them', () => {
  const env = {
    PATH: '/bin',
    HOME: '/h',
    GITHUB_TOKEN: 'x',
    https_proxy: 'http://u:p@proxy',
    NODE_OPTIONS: '--inspect',
  };
  expect(daemonEnvironment(env, 'linux')).toEqual({ PATH: '/bin', HOME: '/h' });
});

it('L7: of a caller it is told the variables asked for, spelled as they are there', () => {
  const caller = { env: { Token: 'a', OTHER: 'b', UNSET: undefined }, cwd: '/w' };
  expect(valuesOf(caller, ['TOKEN', 'UNSET', 'MISSING'], 'linux')).toEqual({});
  expect(valuesOf(caller, ['TOKEN', 'UNSET', 'MISSING'], 'win32')).toEqual({ Token: 'a' });
});

it('L7: equal callers are one object, whatever the order of their variables; the rest is forgotten in time', () => {
  const callers = new Callers();
  const first = callers.intern({ env: { A: '1', B: '2' }, cwd: '/w' });
  expect(callers.intern({ cwd: '/w', env: { B: '2', A: '1' } })).toBe(first);
  expect(callers.intern({ cwd: '/v', env: { B: '2', A: '1' } })).not.toBe(first);
  for (let at = 0; at < 1_000; at += 1) callers.intern({ env: {}, cwd: `/${at}` });
  expect(callers.intern({ cwd: '/w', env: { B: '2', A: '1' } })).not.toBe(first);
});
