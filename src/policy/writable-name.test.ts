import { describe, expect, it } from 'vitest';
import { fileKey, limits } from '../base/index.ts';
import { writableName } from './writable-name.ts';

describe('the name of a tool as it can be written', () => {
  it.each(['get-sum', 'Größe', 'two words', '__proto__', 'x'.repeat(limits.toolNameCharacters)])(
    'B1: is its name where that is shown whole: %s',
    (name) => {
      expect(writableName({ name, key: 'k' })).toBe(name);
    },
  );

  it.each(['red\u001B[31m', 'a\u200Bb', ' edge', 'two\nlines', '', 'x'.repeat(limits.toolNameCharacters + 1)])(
    'B1, C5: is the key of its file where a part would be hidden: %j',
    (name) => {
      expect(writableName({ name, key: 'k' })).toBe('k');
      expect(writableName({ name })).toBe(fileKey(name));
    },
  );
});
