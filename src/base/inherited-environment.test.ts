import { expect, it } from 'vitest';
import { inheritedEnvironment } from './inherited-environment.ts';

it('T1: programs find themselves, their user, proxies and certificates; nothing else is inherited', () => {
  const inherited = {
    PATH: '/bin',
    HOME: '/home/a',
    TMPDIR: '/t',
    LC_ALL: 'C',
    https_proxy: 'http://proxy',
    NO_PROXY: 'localhost',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    npm_config_cache: '/cache',
  };
  const kept = {
    ANTHROPIC_API_KEY: 'x',
    GITHUB_TOKEN: 'x',
    NODE_OPTIONS: '--inspect',
    LD_PRELOAD: '/evil.so',
    AWS_PROFILE: 'x',
    path: '/lower',
    LC_: 'x',
    MY_PATH: 'x',
    npm_config__auth: 'x',
    UNSET: undefined,
  };
  expect(inheritedEnvironment({ ...inherited, ...kept }, 'linux')).toEqual(inherited);
});

it('T1: names are compared without case on Windows only, and keep their spelling', () => {
  const env = {
    Path: String.raw`C:\bin`,
    SystemRoot: String.raw`C:\Windows`,
    'ProgramFiles(x86)': 'C:\\p',
    API_KEY: 'x',
  };
  const { API_KEY: _, ...expected } = env;
  expect(inheritedEnvironment(env, 'win32')).toEqual(expected);
  expect(inheritedEnvironment(env, 'darwin')).toEqual({});
});

it('T1: functions exported by a shell are not inherited', () => {
  expect(inheritedEnvironment({ HOME: '() { :; }; echo' }, 'linux')).toEqual({});
});
