import type { IndexKind, IndexPlan, TablePlan } from '#model/dataset/dataset.ts';
import { quote, tableSql } from '../names.ts';

/** Creates an index over the existing rows, under a lock that keeps writers out; no other session uses the table. */
export const addKeySql = (table: TablePlan): string =>
  `ALTER TABLE ${tableSql(table)} ADD PRIMARY KEY (${quote(table.columns[table.key!]!.name)})`;

export function addIndexSql(table: TablePlan, { name, columns, unique, kind }: IndexPlan): string {
  const names = columns.map((c) => quote(table.columns[c]!.name));
  const create = `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} ON ${tableSql(table)} USING ${accessMethods[kind]}`;
  // The index has words in lower case and assumes no language.
  return kind === 'fulltext'
    ? `${create} (to_tsvector('simple', ${names.join(" || ' ' || ")}))`
    : `${create} (${names.join(', ')})`;
}

const accessMethods = { default: 'btree', hash: 'hash', brin: 'brin', fulltext: 'gin' } satisfies Record<
  IndexKind,
  string
>;
