import { expect, it } from 'vitest';
import { fieldsOf } from './queries.ts';

const type = { kind: 'text', maxLength: 10, fixed: false, ascii: true } as const;
const columns = ['doc', 'doc_city'].map((name) => ({ name, type, nullable: false }));

it('fields of an index have different names, also where a path reads like a column', () => {
  const path = { column: 0, path: ['city'] };
  const named = (...parts: Parameters<typeof fieldsOf>[1]) =>
    fieldsOf({ columns }, parts, []).map(({ name, value }) => `${name}: ${value}`);
  expect(named(path)).toEqual(['doc_city: row.@doc.@city']);
  expect(named(path, { column: 1 })).toEqual(['doc_city_: row.@doc.@city', 'doc_city: row.@doc_city']);
});
