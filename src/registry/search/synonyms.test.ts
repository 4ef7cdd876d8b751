import { describe, expect, it } from 'vitest';
import { synonyms } from './synonyms.ts';
import { wordsOf } from './words.ts';

/** What `word` stands for, as a search cuts it. */
const besides = (word: string): ReadonlySet<string> | undefined => synonyms.get(wordsOf(word)[0] ?? '');

describe('synonyms', () => {
  it('C7: hold in both directions, in any form of the word, and not from group to group', () => {
    const [remove = '', download = ''] = wordsOf('remove download');
    expect(besides('deleting')).toContain(remove);
    expect(besides('removed')).toContain(wordsOf('delete')[0]);
    expect(besides('fetches')).toContain(download);
    expect(besides('add')).toContain(wordsOf('sum')[0]);
    expect(besides('get')).not.toContain(download);
  });

  it('C7: no word stands alone, as beside a stop word or another form of itself it would', () => {
    for (const group of synonyms.values()) expect(group.size).toBeGreaterThan(1);
  });
});
