import type { DrdaConnection } from '#drda/index.ts';
import type { DroppedTables } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { dropEach, dropUnlessHeld, missingRight, notOurs } from '../../shared/own-tables.ts';
import { foreignKeysSql } from '../../shared/sql/foreign-keys.ts';
import { query, run } from '../connection/query.ts';
import type { Dialect } from '../dialect.ts';
import { toError } from '../errors.ts';
import { catalogName, quote, schemaName, tableSql } from '../names.ts';
import { columnTypeSql } from '../values/values.ts';
import { dropObject, objectsLeft } from './setup.ts';

/**
 * A constraint of this name marks a table as Dyno's; tables without it are never dropped. Neither product has comments
 * on tables, and a separate list of tables could name a table that another user dropped and created again. A constraint
 * comes and goes with its table.
 */
const markOf = (name: string): string => `DYNO_MADE_${catalogName(name)}`;

/** Tables in Dyno's schema with their constraints' names, null where there is none. Parameter: a catalog name. */
export const constraintsSql = `SELECT t.TABLENAME, c.CONSTRAINTNAME FROM SYS.SYSTABLES t
  JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID
  LEFT OUTER JOIN SYS.SYSCONSTRAINTS c ON c.TABLEID = t.TABLEID
 WHERE s.SCHEMANAME = '${schemaName}'`;

/** The state of a table: absent, made by Dyno, or made by somebody else. */
async function stateOf(connection: DrdaConnection, name: string): Promise<'absent' | 'ours' | 'foreign'> {
  const rows = await query(connection, `${constraintsSql} AND t.TABLENAME = ?`, [catalogName(name)]);
  if (rows.length === 0) return 'absent';
  return rows.some(([, constraint]) => constraint === markOf(name)) ? 'ours' : 'foreign';
}

/** Creates Dyno's schema if it is not there. */
export async function ensureSchema(connection: DrdaConnection): Promise<void> {
  const rows = await query(connection, 'SELECT SCHEMANAME FROM SYS.SYSSCHEMAS WHERE SCHEMANAME = ?', [schemaName]);
  if (rows.length > 0) return;
  try {
    await run(connection, `CREATE SCHEMA ${schemaName}`);
  } catch (error) {
    const data = toError(error);
    if (data.code === 'X0Y68') return; // two runs may start at once, and the other one may have created it
    if (data.kind !== 'permission') throw error;
    throw missingRight(
      `Creating the schema ${schemaName}`,
      data,
      `Have the database's owner run: CREATE SCHEMA ${schemaName} AUTHORIZATION your-user; (\`dyno grants TARGET\` prints all of it.)`,
    );
  }
}

/** The mark is the name of the primary key, or of a check that costs nothing if there is no key. */
export function createTableSql(table: TablePlan, dialect: Dialect): string {
  const columns = table.columns.map(
    ({ name, type, nullable }) => `${quote(name)} ${columnTypeSql(type, dialect)}${nullable ? '' : ' NOT NULL'}`,
  );
  const key = table.key === null ? undefined : table.columns[table.key];
  const mark = `CONSTRAINT ${quote(markOf(table.name))} ${key ? `PRIMARY KEY (${quote(key.name)})` : 'CHECK (1 = 1)'}`;
  const foreignKeys = foreignKeysSql(table, quote, tableSql);
  return `CREATE TABLE ${tableSql(table)} (${[...columns, mark, ...foreignKeys].join(', ')})${dialect.tableClauses(table)}`;
}

/** Replaces a table that an interrupted trial left behind. Throws 'unsupported' for options that the server lacks. */
export async function createTable(connection: DrdaConnection, table: TablePlan, dialect: Dialect): Promise<void> {
  const refusal = await dialect.refusal(connection, table);
  if (refusal !== null) throw new DynoError('unsupported', refusal);
  await ensureSchema(connection);
  await dropTable(connection, table.name);
  await run(connection, createTableSql(table, dialect));
}

export async function dropTable(connection: DrdaConnection, name: string): Promise<void> {
  const state = await stateOf(connection, name);
  if (state === 'absent') return;
  if (state === 'foreign') throw notOurs(`A table ${schemaName}.${catalogName(name)}`);
  await dropUnlessHeld(
    tableSql({ name }),
    () => run(connection, `DROP TABLE ${tableSql({ name })}`),
    (refusal) => holdersIn(toError(refusal)),
  );
}

/**
 * The objects that depend on a table, from the server's refusal, which has tokens and no sentence: "DROP TABLE, T, V"
 * for a view V, and "DROP TABLE, T, CONSTRAINT, F" for anything else.
 */
function holdersIn({ code, message }: ErrorData): readonly string[] {
  const [, , ...holder] = message.split(', ');
  if (code === ofView) return [`the view ${holder.join(' ')}`];
  return code === ofOthers ? [holder.join(' ')] : [];
}
const [ofView, ofOthers] = ['X0Y23', 'X0Y25'];

export async function leftovers(connection: DrdaConnection, namePrefix: string): Promise<readonly string[]> {
  const rows = await query(connection, constraintsSql);
  const tables = rows
    .filter(
      ([table, constraint]) =>
        String(table).startsWith(catalogName(namePrefix)) && constraint === markOf(String(table)),
    )
    .map(([table]) => String(table).toLowerCase());
  return [...tables, ...(await objectsLeft(connection, namePrefix))].sort();
}

export async function dropLeftovers(connection: DrdaConnection, namePrefix: string): Promise<DroppedTables> {
  // Tables with which others are colocated go last; the server's refusals show which these are.
  const drop = (name: string) => (isObjectName(name) ? dropObject : dropTable)(connection, name);
  return dropEach(leftovers(connection, namePrefix), drop, toError);
}
