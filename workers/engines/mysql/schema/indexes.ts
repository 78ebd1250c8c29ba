import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import { DynoError } from '#model/error.ts';
import { indexPartsSql } from '../../shared/sql/index-parts.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { quote, tableSql } from '../names.ts';

/** Rows are kept in the order of the key: InnoDB writes the whole table anew. */
export const addKeySql = (database: string, table: TablePlan): string =>
  `ALTER TABLE ${tableSql(database, table)} ADD PRIMARY KEY (${quote(table.columns[table.key!]!.name)})`;

export const removeIndexSql = (database: string, table: TablePlan, { name }: IndexPlan): string =>
  `DROP INDEX ${quote(name)} ON ${tableSql(database, table)}`;

/** The statement that creates an index. `isMariadb`: the words of an invisible index differ. Pure. */
export function addIndexSql(database: string, table: TablePlan, index: IndexPlan, isMariadb: boolean): string {
  const { name, unique, kind, invisible } = index;
  const what = kind === 'fulltext' ? 'FULLTEXT INDEX' : unique ? 'UNIQUE INDEX' : 'INDEX';
  const hidden = invisible ? (isMariadb ? ' IGNORED' : ' INVISIBLE') : '';
  return `CREATE ${what} ${quote(name)} ON ${tableSql(database, table)} (${indexPartsSql(table, index, quote, fieldSql)})${hidden}`;
}

/** The longest text of a field in an index. */
const longestField = 191;

/** MySQL's manual, "Functional Key Parts": an index of texts needs their length and the collation of ->>. */
const fieldSql = ({ name }: Column, path: readonly string[]): string =>
  `CAST(${quote(name)} ->> '$.${path.join('.')}' AS CHAR(${longestField})) COLLATE utf8mb4_bin`;

/** Creates an index, if this version of the server has its options; older ones take some of them and do nothing. */
export async function addIndex(
  connection: MysqlConnection,
  database: string,
  table: TablePlan,
  index: IndexPlan,
): Promise<void> {
  const needs = needsOf(index);
  if (needs.length > 0) {
    const { mariadb } = connection;
    const version = mariadb ?? (await mysqlVersion(connection));
    const [product, own] = mariadb === null ? (['MySQL', 'mysql'] as const) : (['MariaDB', 'mariadb'] as const);
    const missing = needs.find((need) => version < need[own]);
    if (missing)
      throw new DynoError(
        'unsupported',
        `${missing.what}: ${missing[own] === Number.POSITIVE_INFINITY ? `${product} has none.` : `this needs ${product} ${formatVersion(missing[own])}, and this server is older.`}`,
        { hint: missing.hint },
      );
  }
  await connection.query(addIndexSql(database, table, index, connection.mariadb !== null));
}

/** An option, and the versions that have it: MySQL's as 80013 (8.0.13), MariaDB's as 1008 (10.8). */
interface Need {
  readonly what: string;
  readonly mysql: number;
  readonly mariadb: number;
  readonly hint: string;
}

const needsOf = ({ parts, invisible }: IndexPlan): readonly Need[] => [
  ...(parts.some(({ descending }) => descending)
    ? [
        {
          what: 'An index in descending order',
          mysql: 80_000,
          mariadb: 1_008,
          hint: 'Older servers take DESC and make an ascending index. Leave out order: desc.',
        },
      ]
    : []),
  ...(parts.some((part) => 'expression' in part || part.path !== undefined)
    ? [
        {
          what: 'An index of an expression',
          mysql: 80_013,
          mariadb: Number.POSITIVE_INFINITY,
          hint: 'MariaDB indexes generated columns, which Dyno’s tables do not have.',
        },
      ]
    : []),
  ...(invisible
    ? [
        {
          what: 'An invisible index',
          mysql: 80_000,
          mariadb: 1_006,
          hint: 'Compare a file with the index and a file without it.',
        },
      ]
    : []),
];

const formatVersion = (version: number): string =>
  version < 10_000
    ? `${Math.floor(version / 100)}.${version % 100}`
    : [Math.floor(version / 10_000), Math.floor(version / 100) % 100, version % 100].join('.');

async function mysqlVersion(connection: MysqlConnection): Promise<number> {
  const { rows } = await connection.query('SELECT VERSION()');
  const [, major = 0, minor = 0, patch = 0] = /(\d+)\.(\d+)\.(\d+)/.exec(String(rows?.[0]?.[0])) ?? [];
  return Number(major) * 10_000 + Number(minor) * 100 + Number(patch);
}
