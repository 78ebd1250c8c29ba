import type { SetupPlan } from '#engine-api/setup.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { setupText } from '../../shared/setup-text.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { statementLanguage } from '../descriptor.ts';
import { quote, tableSql } from '../names.ts';
import { literal } from '../values/values.ts';

/** The text protocol takes all of these statements; prepared statements take few of them. */
export async function setUp(connection: MysqlConnection, database: string, plan: SetupPlan): Promise<void> {
  await connection.query(setupText(plan, statementLanguage, (table) => tableSql(database, table)));
}

/**
 * The objects that setUp() has made, with their kinds. Views and triggers have no comments, and a routine could only
 * get one by a second statement. The name is the mark: it has the tag of a run, in a database of Dyno's own.
 */
async function objectsOf(
  connection: MysqlConnection,
  database: string,
  condition: (name: string) => string,
): Promise<readonly { readonly kind: string; readonly name: string }[]> {
  const own = literal(database);
  const { rows } = await connection.query(
    `SELECT 'VIEW', table_name FROM information_schema.views WHERE table_schema = ${own} AND ${condition('table_name')}
     UNION ALL
     SELECT routine_type, routine_name FROM information_schema.routines WHERE routine_schema = ${own} AND ${condition('routine_name')}
     UNION ALL
     SELECT 'TRIGGER', trigger_name FROM information_schema.triggers WHERE trigger_schema = ${own} AND ${condition('trigger_name')}`,
  );
  return (rows ?? [])
    .map(([kind, name]) => ({ kind: String(kind), name: String(name) }))
    .filter(({ name }) => isObjectName(name));
}

export const objectsLeft = async (
  connection: MysqlConnection,
  database: string,
  namePrefix: string,
): Promise<readonly string[]> => {
  const begins = (name: string) => `LEFT(${name}, ${namePrefix.length}) = ${literal(namePrefix)}`;
  return (await objectsOf(connection, database, begins)).map(({ name }) => name);
};

/** Drops the object of this name if setUp() has made it. */
export async function dropObject(connection: MysqlConnection, database: string, name: string): Promise<void> {
  for (const { kind } of await objectsOf(connection, database, (one) => `${one} = ${literal(name)}`))
    await connection.query(`DROP ${kind} IF EXISTS ${quote(database)}.${quote(name)}`);
}
