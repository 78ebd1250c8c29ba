import { expect, test } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { variantsOf, withVariant } from './text-variants.ts';

const engines = ['postgres', 'mysql'].map((id) => ({ id, label: id.toUpperCase() }) as EngineDescriptor);
const targets = [
  { name: 'here', engine: 'postgres' },
  { name: 'there', engine: 'mysql' },
];

test('a tab for all, and one for each engine where there are several', () => {
  const keys = (text: unknown, of = targets) => variantsOf(text, of, engines).map(({ key, text: one }) => [key, one]);
  expect(keys('SELECT 1')).toEqual([
    ['default', 'SELECT 1'],
    ['postgres', ''],
    ['mysql', ''],
  ]);
  expect(keys('SELECT 1', targets.slice(0, 1))).toEqual([['default', 'SELECT 1']]);
  expect(keys({ there: 'SELECT 2' }, targets.slice(0, 1)).map(([key]) => key)).toEqual(['default', 'there']);
});

test('one text stays a text; others make it a mapping, and back', () => {
  expect(withVariant('a', 'default', 'b')).toBe('b');
  expect(withVariant('a', 'mysql', 'b')).toEqual({ default: 'a', mysql: 'b' });
  expect(withVariant({ default: 'a', mysql: 'b' }, 'mysql', '')).toBe('a');
  expect(withVariant({ mysql: 'b' }, 'mysql', 'c')).toEqual({ mysql: 'c' });
});
