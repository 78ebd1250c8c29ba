import { expect, test } from 'vitest';
import { partsText, readParts } from './index-parts.ts';

test.each([
  ['store', ['store']],
  ['store, sold desc', ['store', { column: 'sold', order: 'desc' }]],
  ['doc.address.city', [{ column: 'doc', path: 'address.city' }]],
  ['doc.city desc', [{ column: 'doc', path: 'city', order: 'desc' }]],
  ['(lower(name))', [{ expression: 'lower(name)' }]],
  ["(coalesce(a, ',)')) desc, b", [{ expression: "coalesce(a, ',)')", order: 'desc' }, 'b']],
])('%s is read, and written the same way', (line, parts) => {
  expect(readParts(line)).toEqual(parts);
  expect(partsText(parts)).toBe(line);
});

test('an empty line has no parts, and parts that one line cannot show are left to the YAML', () => {
  expect(readParts(' , ')).toBeUndefined();
  expect(partsText([{ expression: { postgres: 'lower(name)' } }])).toBeNull();
  expect(partsText([{ expression: 'a), (b' }])).toBeNull();
  expect(partsText([7])).toBeNull();
});
