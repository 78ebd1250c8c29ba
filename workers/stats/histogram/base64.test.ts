import { expect, test } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { fromBase64, fromBase64InLoop, toBase64, toBase64InLoop } from './base64.ts';

const ways = [fromBase64, fromBase64InLoop];

test('what is written is read, whichever way the runtime has', () => {
  const random = new Sfc32(1);
  for (let length = 0; length < 70; length++) {
    const bytes = Uint8Array.from({ length }, () => random.below(256));
    for (const text of [toBase64(bytes), toBase64InLoop(bytes)])
      for (const read of ways) expect(read(text)).toEqual(bytes);
  }
});

test.each(['A', 'AAA', 'AAAAA', 'AA=A', '====', 'AAA\u00e9', 'AA-_', '\ud83d\ude00aa'])('%j is refused', (text) => {
  for (const read of ways) expect(() => read(text)).toThrow('not base64');
});
