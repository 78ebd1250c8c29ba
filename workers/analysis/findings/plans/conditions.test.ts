import { expect, test } from 'vitest';
import type { Dataset } from '#model/dataset/dataset.ts';
import { columnsIn, whereOf, wrappedIn } from './conditions.ts';

const table = {
  columns: { id: { type: 'sequence' }, email: { type: 'text' }, total: { type: 'decimal' }, at: { type: 'timestamp' } },
} as unknown as Dataset;

test('columns are found by whole names, in their order, and not in texts', () => {
  expect(columnsIn("((total)::numeric > '5'::numeric) AND (\"email\" = 'at id'::text)", table)).toEqual([
    'total',
    'email',
  ]);
  expect(columnsIn('emails = 1 AND t.id = :at', table)).toEqual(['id']);
});

test('the condition of a statement ends before the next clause, and two of them are none', () => {
  expect(whereOf("SELECT * FROM t WHERE email = 'where' ORDER BY id")).toBe("email = ''");
  expect(whereOf('SELECT * FROM t')).toBeNull();
  expect(whereOf('SELECT * FROM t WHERE id IN (SELECT id FROM u WHERE x = 1)')).toBeNull();
});

test.each([
  ["(lower((email)::text) = 'a'::text)", { column: 'email', kind: 'function', by: 'lower' }],
  ['upper(email) = :email', { column: 'email', kind: 'function', by: 'upper' }],
  ["(date_trunc('day'::text, at) = $1)", { column: 'at', kind: 'function', by: 'date_trunc' }],
  ["((id)::text = '5'::text)", { column: 'id', kind: 'conversion', by: 'text' }],
  [
    "((total)::double precision = '5'::double precision)",
    { column: 'total', kind: 'conversion', by: 'double precision' },
  ],
  ['(`t`.`email` = 17)', { column: 'email', kind: 'conversion', by: 'a number' }],
  ['((id + 0) = 5)', { column: 'id', kind: 'arithmetic', by: '+' }],
  [
    'CONVERT_IMPLICIT(nvarchar(40),[sales].[dyno].[orders].[email],0)=[@P0]',
    { column: 'email', kind: 'conversion', by: 'nvarchar(40)' },
  ],
  ['TO_NUMBER("T"."EMAIL")=17', { column: 'email', kind: 'function', by: 'TO_NUMBER' }],
  ['lower([sales].[dyno].[orders].[email])=[@P0]', { column: 'email', kind: 'function', by: 'lower' }],
  ['CAST(id AS text) = ?', { column: 'id', kind: 'function', by: 'CAST' }],
  ['{"$expr":{"$eq":[{"$toLower":["$email"]},{"$const":"a"}]}}', { column: 'email', kind: 'function', by: '$toLower' }],
  [
    '{"$expr":{"$gt":[{"$add":[{"$const":1},"$total"]},{"$const":5}]}}',
    { column: 'total', kind: 'function', by: '$add' },
  ],
] as const)('%s does not compare the column as it is stored', (condition, wrapped) => {
  expect(wrappedIn(condition, table)).toEqual(wrapped);
});

test.each([
  "((email)::text = 'a'::text)",
  '(id = 5)',
  '((id >= 5) AND (id < 9))',
  '(id = ANY ($1))',
  'email IN (:a, :b)',
  'id = :id + 1',
  '[sales].[dyno].[orders].[id]=CONVERT_IMPLICIT(int,[@P0],0)',
  "(email = '17 - 3')",
  "((email)::text ~~ '%x'::text)",
  '{"$expr":{"$eq":["$email",{"$const":"a"}]}}',
  '{"$and":[{"email":{"$eq":"a"}},{"total":{"$gt":5}}]}',
])('%s compares columns as they are stored', (condition) => {
  expect(wrappedIn(condition, table)).toBeNull();
});
