import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeBetween } from './text-change.ts';

test('applying the change gives the new text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '\n') }),
      fc.string({ unit: fc.constantFrom('a', 'b', '\n') }),
      (before, after) => {
        const change = changeBetween(before, after);
        const applied = change ? before.slice(0, change.from) + change.insert + before.slice(change.to) : before;
        expect(applied).toBe(after);
      },
    ),
  );
});

test('touches only what differs', () => {
  expect(changeBetween('rows: 100\nseed: 1', 'rows: 250\nseed: 1')).toEqual({ from: 6, to: 8, insert: '25' });
});

test('equal texts need no change', () => {
  expect(changeBetween('a', 'a')).toBeNull();
});
