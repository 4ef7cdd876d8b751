import { describe, expect, it } from 'vitest';
import { judgeEra, type ProbeReaction } from './era-decider.ts';

const legacy = { kind: 'legacy', restart: false, fromSilence: false };
const refusedVersion = (supported: unknown): ProbeReaction => ({
  kind: 'rpc-error',
  code: -32_022,
  data: { supported, requested: '2026-07-28' } as never,
});

const table: readonly [string, ProbeReaction, object][] = [
  ['a DiscoverResult with our version', result({ supportedVersions: ['2026-07-28'] }), { kind: 'modern' }],
  [
    'one with our version among others',
    result({ supportedVersions: ['2099-01-01', '2026-07-28'] }),
    { kind: 'modern' },
  ],
  ['one with later versions only', result({ supportedVersions: ['2099-01-01'] }), legacy],
  ['an empty result', result({}), legacy],
  ['a result whose versions are a text', result({ supportedVersions: 'yes', capabilities: null }), legacy],
  ['an unknown method', { kind: 'rpc-error', code: -32_601, data: undefined }, legacy],
  ['bad parameters', { kind: 'rpc-error', code: -32_602, data: '' }, legacy],
  ['a refused version that is among the supported', refusedVersion(['2026-07-28']), { kind: 'ask-again' }],
  [
    'a refused version, only later ones supported',
    refusedVersion(['2099-01-01']),
    { kind: 'mismatch', theirs: ['2099-01-01'] },
  ],
  ['a refused version, only older ones supported', refusedVersion(['2025-11-25']), legacy],
  ['a refused version, older and later ones supported', refusedVersion(['2025-11-25', '2099-01-01']), legacy],
  ['a refused version without a list', refusedVersion(undefined), legacy],
  ['an answer that is no JSON-RPC', { kind: 'unusable' }, legacy],
  ['silence', { kind: 'silence' }, { kind: 'legacy', restart: false, fromSilence: true }],
  ['the end of the process', { kind: 'exited' }, { kind: 'legacy', restart: true, fromSilence: false }],
  ['the end of the connection', { kind: 'broken-off' }, { kind: 'ask-again' }],
  ['a failure of the way', { kind: 'unreachable' }, { kind: 'none' }],
];

function result(value: object): ProbeReaction {
  return { kind: 'result', result: value as never };
}

describe('judgeEra', () => {
  it.each(table)('S2: %s', (_name, reaction, verdict) => {
    expect(judgeEra(reaction)).toEqual(verdict);
  });
});
