import { expect, test } from 'vitest';
import { fnv1a } from './fnv1a.ts';

test('the hashes are those of the published test vectors', () => {
  // http://www.isthe.com/chongo/src/fnv/test_fnv.c, FNV-1a of 32 bits.
  for (const [text, hash] of Object.entries({ '': '811c9dc5', a: 'e40c292c', b: 'e70c2de5', foobar: 'bf9cf968' }))
    expect(fnv1a(text)).toBe(hash);
  expect(fnv1a('a', 0x050c5d1f)).not.toBe(fnv1a('a'));
});
