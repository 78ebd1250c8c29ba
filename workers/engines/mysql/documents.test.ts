import { expect, test } from 'vitest';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { loadSql } from './bulk.ts';
import { checksum } from './checksum.ts';
import type { Connection } from './connection.ts';
import { columnTypesSql } from './values.ts';

const text = { kind: 'text', maxLength: 100, fixed: false, ascii: true } as const;
const tableOf = (...types: readonly TablePlan['columns'][number]['type'][]): TablePlan => ({
  name: 't',
  key: null,
  options: {},
  columns: types.map((type, c) => ({ name: `c${c}`, type, nullable: true })),
});
const table = tableOf({ kind: 'bigint' }, { ...text, document: true });

test('documents have the type JSON, and their text a character set when it is loaded', () => {
  expect(columnTypesSql(table)).toEqual(['BIGINT', 'JSON']);
  expect(loadSql('d', table)).toMatch(/ \(`c0`, @c1\) SET `c1` = CONVERT\(@c1 USING utf8mb4\)$/);
  expect(loadSql('d', tableOf({ kind: 'bigint' }, text))).toMatch(/ \(`c0`, `c1`\)$/);
});

test('MySQL rewrites JSON, so that it has no checksum there; MariaDB keeps the text', async () => {
  const on = (mariadb: number | null) =>
    checksum({ mariadb, query: async () => ({ rows: [['2', '3', '4']] }) } as unknown as Connection, 'd', table);
  expect(await on(null)).toEqual({ rows: 2, columns: ['3', null] });
  expect(await on(1011)).toEqual({ rows: 2, columns: ['3', '4'] });
});
