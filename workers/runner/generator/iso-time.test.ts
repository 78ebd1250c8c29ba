import { expect, test } from 'vitest';
import { isoTimeLength } from '#model/dataset/stored-type.ts';
import { stream, toUnit } from '#stats/random/random.ts';
import { firstWord, secondWord } from './hash.ts';
import { isoVector, writeIsoTimes } from './iso-time.ts';

const texts = (us: readonly number[]): readonly string[] => {
  const vector = isoVector(Float64Array.from(us), null);
  if (vector.kind !== 'fixed') throw new Error(vector.kind);
  return us.map((_, r) => new TextDecoder().decode(vector.bytes.subarray(r * vector.stride, (r + 1) * vector.stride)));
};
/** This is the slow and obvious implementation. */
const byDate = (us: number): string => {
  const ms = Math.floor(us / 1_000);
  return `${new Date(ms).toISOString().slice(0, -1)}${String(us - ms * 1_000).padStart(3, '0')}Z`;
};

test('times are written as Date writes them, with microseconds', () => {
  const key = stream(5, 0);
  const span = Date.UTC(2250, 0, 1) - Date.UTC(1700, 0, 1);
  const times = Array.from({ length: 2_000 }, (_, row) => {
    const first = firstWord(key, row);
    return (
      (Date.UTC(1700, 0, 1) + Math.floor(toUnit(first, secondWord(key, row, first)) * span)) * 1_000 + (row % 1_000)
    );
  });
  const all = [0, -1, 951_782_399_999_999, 951_782_400_000_000, 1_709_210_096_000_789, ...times];
  expect(texts(all)).toEqual(all.map(byDate));
  expect(texts([0])[0]).toHaveLength(isoTimeLength);
});

test('texts sort as the times do', () => {
  const times = [-62_000_000_000_001, -1, 0, 1, 999_999, 1_000_000, 1_709_210_096_000_789, 4_102_444_799_999_999];
  expect([...texts(times)].sort()).toEqual(texts(times));
});

test('rows of a layout are written at their places, and nothing else', () => {
  const bytes = new Uint8Array(100).fill(7);
  writeIsoTimes(Float64Array.of(0, 1), bytes, 3, 40);
  expect(new TextDecoder().decode(bytes.subarray(43, 70))).toBe('1970-01-01T00:00:00.000001Z');
  expect([...bytes.subarray(30, 43)].every((byte) => byte === 7)).toBe(true);
});
