import type oracledb from 'oracledb';
import type { SetupPlan } from '#engine-api/setup.ts';
import { DynoError } from '#model/error.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { setupText } from '../../shared/setup-text.ts';
import type { Dialect } from '../connection/dialect.ts';
import { statementLanguage } from '../descriptor.ts';
import { dictionaryName, tableSql } from '../names.ts';

/** The errors of a routine that the server has stored although it does not compile (Reference, "ALL_ERRORS"). */
const errorsSql = 'SELECT line, text FROM user_errors WHERE name = :1 ORDER BY sequence';

/**
 * The objects that setUp() makes (Reference, "ALL_OBJECTS"). Routines have no comments. The name is the mark: it has
 * the tag of a run.
 */
const objectsSql = `SELECT object_type, object_name FROM user_objects
 WHERE SUBSTR(object_name, 1, LENGTH(:1)) = :2
   AND object_type IN ('VIEW', 'MATERIALIZED VIEW', 'FUNCTION', 'PROCEDURE', 'TRIGGER')`;

export async function setUp(connection: oracledb.Connection, plan: SetupPlan, { emulator }: Dialect): Promise<void> {
  if (emulator !== null)
    throw new DynoError('unsupported', `The emulator (${emulator}) has no dictionary of views and routines.`);
  await connection.execute(setupText(plan, statementLanguage, tableSql));
  const { rows } = await connection.execute<[number, string]>(errorsSql, [dictionaryName(plan.name)]);
  const [first] = rows ?? [];
  if (first) throw new DynoError('syntax', `It does not compile: ${first[1].trim()} (line ${first[0]})`);
}

async function objectsOf(connection: oracledb.Connection, namePrefix: string, { emulator }: Dialect) {
  if (emulator !== null) return [];
  const prefix = dictionaryName(namePrefix || 'dyno_');
  const { rows } = await connection.execute<[string, string]>(objectsSql, [prefix, prefix]);
  return (rows ?? []).filter(([, name]) => isObjectName(name)).map(([kind, name]) => ({ kind, name }));
}

export const objectsLeft = async (
  connection: oracledb.Connection,
  namePrefix: string,
  dialect: Dialect,
): Promise<readonly string[]> => [
  ...new Set((await objectsOf(connection, namePrefix, dialect)).map(({ name }) => name.toLowerCase())),
];

/** Drops the object of this name if setUp() has made it. */
export async function dropObject(connection: oracledb.Connection, wanted: string, dialect: Dialect): Promise<void> {
  for (const { kind, name } of await objectsOf(connection, wanted, dialect))
    if (name === dictionaryName(wanted)) await connection.execute(`DROP ${kind} ${tableSql({ name })}`);
}
