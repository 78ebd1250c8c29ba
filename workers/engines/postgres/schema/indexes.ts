import type pg from 'pg';
import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import type { IndexKind, IndexPlan } from '#model/dataset/indexes.ts';
import { DynoError } from '#model/error.ts';
import { includedSql, indexPartsSql, whereSql } from '../../shared/sql/index-parts.ts';
import { quote, schemaName, tableSql } from '../names.ts';

/** Creates an index over the existing rows, under a lock that keeps writers out; no other session uses the table. */
export const addKeySql = (table: TablePlan): string =>
  `ALTER TABLE ${tableSql(table)} ADD PRIMARY KEY (${quote(table.columns[table.key!]!.name)})`;

/** An index is in the schema of its table. */
export const removeIndexSql = ({ name }: IndexPlan): string => `DROP INDEX ${quote(schemaName)}.${quote(name)}`;

/** The statement that creates an index. Pure. */
export function addIndexSql(table: TablePlan, index: IndexPlan): string {
  const { name, unique, kind } = index;
  const included = includedSql(table, index, quote);
  return [
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} ON ${tableSql(table)} USING ${accessMethods[kind]}`,
    ` (${entriesSql(table, index)})`,
    included === '' ? '' : ` INCLUDE (${included})`,
    whereSql(index),
  ].join('');
}

function entriesSql(table: TablePlan, index: IndexPlan): string {
  const listed = indexPartsSql(table, index, quote, fieldSql);
  switch (index.kind) {
    case 'fulltext': {
      const words = index.parts.map((part) => indexPartsSql(table, { ...index, parts: [part] }, quote, fieldSql));
      // The index has words in lower case and assumes no language.
      return `to_tsvector('simple', ${words.join(" || ' ' || ")})`;
    }
    case 'gin':
      return index.parts
        .map((part) => {
          const column = 'column' in part && !part.path ? table.columns[part.column]! : null;
          return column ? jsonSql(column) : indexPartsSql(table, { ...index, parts: [part] }, quote, fieldSql);
        })
        .join(', ');
    default:
      return listed;
  }
}

/** A document as jsonb, also where the table has it as text. */
const jsonSql = ({ name }: Column): string => `(${quote(name)}::jsonb)`;

/** The last field as text, the others as jsonb: ("doc"::jsonb -> 'address' ->> 'city'). */
const fieldSql = (column: Column, path: readonly string[]): string =>
  path.reduce(
    (sql, field, i) => `${sql} ${i === path.length - 1 ? '->>' : '->'} '${field}'`,
    `${quote(column.name)}::jsonb`,
  );

const accessMethods: { readonly [K in IndexKind]?: string } = {
  btree: 'btree',
  hash: 'hash',
  gin: 'gin',
  gist: 'gist',
  brin: 'brin',
  fulltext: 'gin',
};

/** `version`: the major version of the server. */
export async function addIndex(client: pg.Client, table: TablePlan, index: IndexPlan, version: number): Promise<void> {
  const since = index.include === undefined ? 0 : index.kind === 'gist' ? 12 : 11;
  if (version < since)
    throw new DynoError(
      'unsupported',
      `INCLUDE in an index of the kind ${index.kind} needs PostgreSQL ${since}, and this is ${version}.`,
    );
  // The extended protocol takes one statement alone.
  await client.query({ text: addIndexSql(table, index), queryMode: 'extended' } as pg.QueryConfig);
}
