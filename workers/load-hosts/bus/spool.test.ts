import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { Spool } from './spool.ts';

test('a spool gives back what it took, in order, until it is full, and leaves no file', () => {
  const file = join(temporaryFolder(), 'spool');
  {
    using spool = new Spool(file, 100);
    for (const byte of [1, 2, 3]) spool.add(new Uint8Array(30).fill(byte));
    expect(() => spool.add(new Uint8Array(11))).toThrow('is full');
    expect(spool.first()).toEqual(new Uint8Array(30).fill(1));
    for (const byte of [1, 2, 3]) {
      expect(spool.first()?.[0]).toBe(byte);
      spool.shift();
    }
    expect(spool.first()).toBeNull();
    // Messages that were read make room again.
    spool.add(new Uint8Array(100).fill(9));
    expect(spool.length).toBe(1);
  }
  expect(existsSync(file)).toBe(false);
});

test('a spool that is never empty has room again for as much as was read', () => {
  using spool = new Spool(join(temporaryFolder(), 'spool'), 200);
  const lengths = [30, 10, 25, 1, 40, 20];
  const message = (number: number) => new Uint8Array(lengths[number % lengths.length]!).fill(number);
  for (const number of [0, 1]) spool.add(message(number));
  for (let number = 0; number < 250; number++) {
    spool.add(message(number + 2));
    expect(spool.first()).toEqual(message(number));
    spool.shift();
  }
  expect(spool.length).toBe(2);
});
