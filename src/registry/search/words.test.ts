import { describe, expect, it } from 'vitest';
import { assert, property, string } from '../../../test/support/properties.ts';
import { stem } from './stem.ts';
import { wordsOf } from './words.ts';

describe('words of a text', () => {
  it('C7: a name is split at every seam, whichever way it is written', () => {
    const wanted = ['http', 'status', 'pag'];
    for (const name of [
      'getHTTPStatusPages',
      'http_status_page',
      'HTTP-Status-Page',
      'http.status/page',
      'httpStatus:Page',
    ]) {
      expect(wordsOf(name).filter((word) => word !== 'get')).toEqual(wanted);
    }
  });

  it('C7: what has digits is found by its parts and as a whole', () => {
    expect(wordsOf('base64')).toEqual(['bas', '64', 'base64']);
    expect(wordsOf('S3Bucket')).toEqual(['s', '3', 'bucket', 's3bucket']);
  });

  it('C7: case, accents and full-width letters make no difference', () => {
    expect(wordsOf('Café ＣＡＦÉ cafe\u0301')).toEqual(['caf', 'caf', 'caf']);
    expect(wordsOf('Überblick')).toEqual(wordsOf('uberblick'));
  });

  it('C7: languages without spaces are cut into pairs, and a single character is itself', () => {
    expect(wordsOf('网页搜索API')).toEqual(['网页', '页搜', '搜索', 'api']);
    expect(wordsOf('ファイル')).toEqual(['ファ', 'ァイ', 'イル']);
    expect(wordsOf('图')).toEqual(['图']);
  });

  it('C7: right-to-left text, Cyrillic and emoji neither fail nor become other words', () => {
    expect(wordsOf('קובץ חדש')).toEqual(['קובץ', 'חדש']);
    expect(wordsOf('файл')).toEqual(wordsOf('ФАЙЛ'));
    expect(wordsOf('🔍 👩‍💻')).toEqual([]);
  });

  it('C7: words that say nothing and words nobody types are left out', () => {
    expect(wordsOf('what is the use of this for you, and how does it?')).toEqual([]);
    expect(wordsOf('x'.repeat(65))).toEqual([]);
  });

  it('C7: any text has words, none of them empty or with a space in it', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        for (const word of wordsOf(text)) expect(word).toMatch(/^\S+$/u);
      }),
    );
  });
});

describe('stems', () => {
  it.each([
    ['files', 'filed', 'filing', 'file'],
    ['queries', 'query'],
    ['creating', 'creates', 'created', 'creation', 'create', 'creator'],
    ['converting', 'converts', 'convert'],
    ['running', 'runs', 'run'],
    ['addresses', 'address'],
    ['statuses', 'status'],
    ['libraries', 'library'],
    ['images', 'image', 'imaging'],
    ['normalization', 'normalizing', 'normalizer', 'normalize'],
  ])('C7: %s, %s … meet', (...words) => {
    expect(new Set(words.map(stem)).size).toBe(1);
  });

  it.each([
    ['moment', 'mo'],
    ['thing', 'the'],
    ['string', 'str'],
    ['bus', 'bu'],
    ['process', 'proces'],
    ['station', 'state'],
  ])('C7: %s is not %s', (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });
});
