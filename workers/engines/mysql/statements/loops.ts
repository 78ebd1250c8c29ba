import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { ownMarkSql } from '../../shared/own-tables.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { loopName, quote } from '../names.ts';
import { literal } from '../values/values.ts';

/** The names of Dyno's procedures for which a condition on information_schema.routines holds. */
async function loopNames(connection: MysqlConnection, database: string, condition: string): Promise<readonly string[]> {
  const { rows } = await connection.query(
    `SELECT routine_name FROM information_schema.routines
      WHERE routine_schema = ${literal(database)} AND routine_comment = ${ownMarkSql('routine_name', ',')} AND ${condition}`,
  );
  return (rows ?? []).map(([name]) => String(name));
}

/** Throws 'notOurs' if Dyno did not make the procedure of a table. */
export async function requireOwnLoop(connection: MysqlConnection, database: string, table: TablePlan): Promise<void> {
  const name = loopName(table);
  if ((await loopNames(connection, database, `routine_name = ${literal(name)}`)).length > 0) return;
  throw new DynoError('notOurs', `A procedure ${database}.${name} exists that Dyno did not create.`, {
    hint: 'Rename or drop it yourself; Dyno never does.',
  });
}

/** Drops Dyno's procedures for which a condition on information_schema.routines holds. */
export async function dropLoops(connection: MysqlConnection, database: string, condition: string): Promise<void> {
  for (const name of await loopNames(connection, database, condition))
    await connection.query(`DROP PROCEDURE IF EXISTS ${quote(database)}.${quote(name)}`);
}
