import type { TablePlan } from '#model/dataset/dataset.ts';
import { ownMark } from '../../shared/own-tables.ts';
import { foreignKeysSql } from '../../shared/sql/foreign-keys.ts';
import { quote, tableSql } from '../names.ts';
import { columnTypesSql, literal } from '../values/values.ts';

/** The statement that creates a table. `isMariadb`: the words of page compression differ. Pure. */
export function createTableSql(database: string, table: TablePlan, isMariadb: boolean): string {
  const types = columnTypesSql(table);
  const columns = table.columns.map(
    ({ name, nullable }, c) =>
      `${quote(name)} ${types[c]}${c === table.key ? ' NOT NULL PRIMARY KEY' : nullable ? ' NULL' : ' NOT NULL'}`,
  );
  const foreignKeys = foreignKeysSql(table, quote, (other) => tableSql(database, other));
  return `CREATE TABLE ${tableSql(database, table)} (${[...columns, ...foreignKeys].join(', ')}) ENGINE = ${engineOf(table)} DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin COMMENT = ${literal(ownMark(table.name))}${compressionSql(table, isMariadb)}${partitionsSql(table)}`;
}

/** The storage engine of a table. */
export const engineOf = ({ options }: TablePlan): string => String(options.storageEngine ?? 'InnoDB');

function compressionSql({ options }: TablePlan, isMariadb: boolean): string {
  const { compression = 'none', keyBlockSize = 'default' } = options;
  if (compression === 'page') return isMariadb ? ' PAGE_COMPRESSED = 1' : " COMPRESSION = 'zlib'";
  return compression === 'table'
    ? ` ROW_FORMAT = COMPRESSED${keyBlockSize === 'default' ? '' : ` KEY_BLOCK_SIZE = ${keyBlockSize}`}`
    : '';
}

/** KEY can hash values of any type. */
const partitionsSql = ({ partitions, columns }: TablePlan): string =>
  partitions ? ` PARTITION BY KEY (${quote(columns[partitions.by]!.name)}) PARTITIONS ${partitions.count}` : '';
