import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { foreignKeysSql } from '../../shared/sql/foreign-keys.ts';
import { quote, tableSql } from '../names.ts';
import { columnTypeSql } from '../values/values.ts';

/** The statement that creates a table. Pure. */
export function createTableSql(table: TablePlan): string {
  const columns = table.columns.map(
    ({ name, type, nullable }, c) =>
      `${quote(name)} ${columnTypeSql(type)}${compressionSql(type, table)}${c === table.key ? ' PRIMARY KEY' : nullable ? '' : ' NOT NULL'}`,
  );
  const foreignKeys = foreignKeysSql(table, quote, tableSql);
  const { partitions } = table;
  const spread = partitions ? ` PARTITION BY HASH (${quote(table.columns[partitions.by]!.name)})` : '';
  // A partitioned table has no pages; its partitions have.
  return `CREATE TABLE ${tableSql(table)} (${[...columns, ...foreignKeys].join(', ')})${spread}${partitions ? '' : pagesSql(table)}`;
}

const pagesSql = ({ fillFactor }: TablePlan): string =>
  fillFactor === undefined ? '' : ` WITH (fillfactor = ${fillFactor})`;

function compressionSql({ kind }: ColumnType, { options }: TablePlan): string {
  const { toastCompression = 'default' } = options;
  return toastCompression !== 'default' && (kind === 'text' || kind === 'bytes')
    ? ` COMPRESSION ${toastCompression}`
    : '';
}

/** The statements that create the partitions of a table, which are dropped with it. */
export const createPartitionsSql = (table: TablePlan): readonly string[] => {
  const count = table.partitions?.count ?? 0;
  return Array.from(
    { length: count },
    (_, i) =>
      `CREATE TABLE ${tableSql({ name: `${table.name}_p${i + 1}` })} PARTITION OF ${tableSql(table)} FOR VALUES WITH (MODULUS ${count}, REMAINDER ${i})${pagesSql(table)}`,
  );
};
