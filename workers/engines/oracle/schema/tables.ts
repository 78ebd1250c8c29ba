import type oracledb from 'oracledb';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { dropUnlessHeld, missingRight, ownMark, ownMarkSql } from '../../shared/own-tables.ts';
import { foreignKeysSql } from '../../shared/sql/foreign-keys.ts';
import type { Dialect } from '../connection/dialect.ts';
import { toError } from '../errors.ts';
import { dictionaryName, keyName, quote, tableSql } from '../names.ts';
import { columnTypeSql, mayBeNull } from '../values/column-types.ts';

export const commentSql = 'SELECT comments FROM user_tab_comments WHERE table_name = :1';
/**
 * The other kinds of objects that could have the name. Views have comments, too; sequences, synonyms, types and others
 * share the namespace.
 */
export const objectSql = 'SELECT object_type FROM user_objects WHERE object_name = :1';
export const leftoversSql = `SELECT table_name FROM user_tab_comments
 WHERE SUBSTR(table_name, 1, LENGTH(:1)) = :2 AND comments = ${ownMarkSql('LOWER(table_name)', '||')}`;

/** The text of a table's comment; null: it has none; undefined: nothing has that name. */
async function commentOn(connection: oracledb.Connection, name: string): Promise<string | null | undefined> {
  const tables = await connection.execute<[string | null]>(commentSql, [dictionaryName(name)]);
  if (tables.rows?.[0]) return tables.rows[0][0];
  const objects = await connection.execute<[string]>(objectSql, [dictionaryName(name)]);
  return objects.rows?.[0] ? null : undefined;
}

const requireKey = (table: TablePlan): string => {
  const column = table.key === null ? undefined : table.columns[table.key];
  if (!column)
    throw new DynoError('badInput', `oracle.table: ${table.options.table} needs a key, and the dataset has none.`, {
      hint: 'Name the key column as dataset.key, or use table: heap.',
    });
  return quote(column.name);
};

export function createTableSql(table: TablePlan, dialect: Dialect): string {
  const { partitions } = table;
  const organisation = partitions ? 'hashPartitioned' : (table.options.table ?? 'heap');
  const columns = table.columns.map(
    (column, c) =>
      `${quote(column.name)} ${columnTypeSql(column.type, dialect)}${c === table.key || !mayBeNull(column) ? ' NOT NULL' : ''}`,
  );
  const keyed = (organisation === 'heap' || partitions) && table.key === null ? null : requireKey(table);
  const constraint = keyed && `CONSTRAINT ${quote(keyName(table))} PRIMARY KEY (${keyed})`;
  const foreignKeys = foreignKeysSql(table, quote, tableSql);
  const create = (key: string | null, tail = '') =>
    `CREATE TABLE ${tableSql(table)} (${[...columns, ...(key ? [key] : []), ...foreignKeys].join(', ')})${tail.startsWith(' ORGANIZATION') ? `${tail}${pagesSql(table)}` : `${pagesSql(table)}${tail}`}`;
  switch (organisation) {
    case 'iot':
      return create(constraint, ' ORGANIZATION INDEX');
    case 'reverseKey':
      return create(`${constraint} USING INDEX REVERSE`);
    case 'hashPartitioned':
      return create(
        constraint && `${constraint} USING INDEX LOCAL`,
        ` PARTITION BY HASH (${partitions ? quote(table.columns[partitions.by]!.name) : keyed}) PARTITIONS ${partitions?.count ?? table.options.partitions ?? 16}`,
      );
    default:
      return create(constraint);
  }
}

/** The free share of blocks, and their compression. */
function pagesSql({ fillFactor, options }: TablePlan): string {
  const { compression = 'none' } = options;
  const free = fillFactor === undefined ? '' : ` PCTFREE ${Math.min(99, 100 - fillFactor)}`;
  return `${free}${compression === 'none' ? '' : ` ROW STORE COMPRESS ${String(compression).toUpperCase()}`}`;
}

export const markSql = (table: TablePlan): string => `COMMENT ON TABLE ${tableSql(table)} IS '${ownMark(table.name)}'`;

export const dropSql = (name: string): string => `DROP TABLE ${tableSql({ name })} PURGE`;

/** Replaces a table of the same name, which an interrupted trial has left. */
export async function createTable(connection: oracledb.Connection, table: TablePlan, dialect: Dialect): Promise<void> {
  refuseForeignCharacters(table, dialect);
  const sql = createTableSql(table, dialect);
  await dropTable(connection, table.name);
  try {
    await connection.execute(sql);
  } catch (error) {
    const data = toError(error);
    if (data.kind !== 'permission') throw error;
    throw missingRight(
      `Creating the table ${tableSql(table)}`,
      data,
      `Have a DBA run: GRANT CREATE TABLE TO ${dialect.owner}; ALTER USER ${dialect.owner} QUOTA UNLIMITED ON users; — \`dyno grants\` prints all that is needed.`,
    );
  }
  try {
    await connection.execute(markSql(table));
  } catch (error) {
    // Every DDL statement commits: without its mark the table would look like another user's.
    await connection.execute(dropSql(table.name)).catch(() => {});
    throw error;
  }
}

/** Replaced characters would only show as a checksum that does not match. */
function refuseForeignCharacters(table: TablePlan, { unicode, characterSet }: Dialect): void {
  const column = table.columns.find(({ type }) => type.kind === 'text' && !type.ascii);
  if (column && !unicode)
    throw new DynoError(
      'unsupported',
      `The database's character set is ${characterSet}: it cannot hold all texts of the column ${column.name}.`,
      { hint: 'Use another alphabet than unicode for it, or a database with AL32UTF8.' },
    );
}

export async function dropTable(connection: oracledb.Connection, name: string): Promise<void> {
  const comment = await commentOn(connection, name);
  if (comment === undefined) return;
  if (comment !== ownMark(name)) {
    throw new DynoError('notOurs', `${tableSql({ name })} exists in this user's schema, and Dyno did not create it.`, {
      hint: 'Rename or drop it yourself; Dyno never does.',
    });
  }
  try {
    await dropUnlessHeld(
      tableSql({ name }),
      () => connection.execute(dropSql(name)),
      (refusal) => (toError(refusal).code === 'ORA-02449' ? holdersOf(connection, name) : []),
    );
  } catch (error) {
    if (toError(error).code !== 'ORA-00942') throw error; // another session was faster
  }
}

/** The foreign keys of all users that refer to a table (Database Reference, "ALL_CONSTRAINTS"). */
const holdersSql = `SELECT DISTINCT f.constraint_name, f.owner, f.table_name FROM all_constraints f
 WHERE f.constraint_type = 'R' AND f.r_owner = USER
   AND f.r_constraint_name IN (SELECT constraint_name FROM user_constraints WHERE table_name = :1)`;

async function holdersOf(connection: oracledb.Connection, name: string): Promise<readonly string[]> {
  const found = await connection
    .execute<[string, string, string]>(holdersSql, [dictionaryName(name)])
    .catch(() => null);
  const seen = (found?.rows ?? []).map(([key, owner, table]) => `the foreign key ${key} of ${owner}.${table}`);
  return seen.length > 0 ? seen : ['a foreign key that this user may not see'];
}

export async function leftovers(connection: oracledb.Connection, namePrefix: string): Promise<readonly string[]> {
  // Oracle has no empty text, only null. All names of Dyno's tables have the same beginning.
  const prefix = dictionaryName(namePrefix || 'dyno_');
  const { rows } = await connection.execute<[string]>(leftoversSql, [prefix, prefix]);
  return (rows ?? []).map(([name]) => name.toLowerCase()).sort();
}

/**
 * Counts foreign keys that are not enforced, or not known to hold for all rows (Database Reference, "ALL_CONSTRAINTS").
 */
export const untrustedSql = `SELECT COUNT(*) FROM user_constraints
 WHERE table_name = :1 AND constraint_type = 'R' AND (status <> 'ENABLED' OR validated <> 'VALIDATED')`;

/** Null: an emulator has no such dictionary. */
export async function untrustedForeignKeys(
  connection: oracledb.Connection,
  table: TablePlan,
  { emulator }: Dialect,
): Promise<number | null> {
  if (emulator !== null) return null;
  const { rows } = await connection.execute<[number]>(untrustedSql, [dictionaryName(table.name)]);
  return rows?.[0]?.[0] ?? null;
}
