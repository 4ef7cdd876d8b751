import { describe, expect, it } from 'vitest';
import { offerOf, offersOf, toolOf } from '../../test/support/offers.ts';
import { describeChange } from './block-change.ts';

const a = offerOf('a', [toolOf('one', 'One.'), toolOf('two', 'Two.')]);

describe('what changed', () => {
  it('C4: servers that came and went, and tools of the others, in a line each', () => {
    const after = offersOf({ ...a, tools: [toolOf('one', 'One!'), toolOf('three')] }, offerOf('c', []));
    expect(describeChange(offersOf(a, offerOf('b', [])), after)).toEqual([
      'new server: c; gone server: b',
      'a: new three, gone two, changed one',
    ]);
  });

  it('C4: many names are counted', () => {
    const many = Array.from({ length: 20 }, (_, index) => toolOf(`t${index}`));
    expect(describeChange(offersOf(a), offersOf({ ...a, tools: [...a.tools, ...many] }))).toEqual([
      'a: new t0 t1 t2 t3 t4 t5 +14 more',
    ]);
    const servers = Array.from({ length: 9 }, (_, index) => offerOf(`s${index}`, []));
    const changed = servers.map((server) => ({ ...server, instructions: 'New.' }));
    expect(describeChange(offersOf(...servers), offersOf(...changed))[0]).toMatch(
      /^s0: what it says of itself; .*; 3 more servers changed$/,
    );
  });

  it('C4: a block that differs by its settings alone says so', () => {
    expect(describeChange(offersOf(a), offersOf(a))).toEqual(['how much of each server is shown']);
  });
});
