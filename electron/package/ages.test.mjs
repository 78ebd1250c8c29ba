import { expect, test } from 'vitest';
import { mayBeOld, shippedPackages, untouched } from './ages.mjs';

const now = new Date('2026-11-28');

test('a package without a release for three years is reported, unless it is listed with a reason', () => {
  const releases = { old: '2023-11-27T00:00:00Z', young: '2023-11-29T00:00:00Z', tarn: '2021-11-16T00:00:00Z' };
  expect(untouched(releases, now)).toEqual(['old']);
});

test('every listed package is shipped, and listed once', () => {
  const named = Object.values(mayBeOld).flat();
  const shipped = shippedPackages();
  expect(named.filter((name) => !shipped.includes(name))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});
