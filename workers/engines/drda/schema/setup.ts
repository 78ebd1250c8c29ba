import type { DrdaConnection } from '#drda/index.ts';
import type { SetupPlan } from '#engine-api/setup.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { setupText } from '../../shared/setup-text.ts';
import { query, run } from '../connection/query.ts';
import { statementLanguage } from '../descriptor.ts';
import { catalogName, schemaName, tableSql } from '../names.ts';

export async function setUp(connection: DrdaConnection, plan: SetupPlan): Promise<void> {
  await run(connection, setupText(plan, statementLanguage, tableSql));
}

/** Views, triggers and routines in Dyno's schema, with their kinds. */
const objectsSql = `SELECT 'VIEW', t.TABLENAME FROM SYS.SYSTABLES t JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID
 WHERE s.SCHEMANAME = '${schemaName}' AND t.TABLETYPE = 'V'
UNION ALL
SELECT 'TRIGGER', g.TRIGGERNAME FROM SYS.SYSTRIGGERS g JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = g.SCHEMAID
 WHERE s.SCHEMANAME = '${schemaName}'
UNION ALL
SELECT CASE WHEN a.ALIASTYPE = 'F' THEN 'FUNCTION' ELSE 'PROCEDURE' END, a.ALIAS
  FROM SYS.SYSALIASES a JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = a.SCHEMAID
 WHERE s.SCHEMANAME = '${schemaName}' AND a.ALIASTYPE IN ('F', 'P')`;

/** The objects that setUp() has made. The name is the mark: it has the tag of a run, in a schema of Dyno's own. */
async function objectsOf(connection: DrdaConnection, namePrefix: string) {
  const rows = await query(connection, objectsSql);
  return rows
    .map(([kind, name]) => ({ kind: String(kind).trim(), name: String(name) }))
    .filter(({ name }) => name.startsWith(catalogName(namePrefix)) && isObjectName(name));
}

export const objectsLeft = async (connection: DrdaConnection, namePrefix: string): Promise<readonly string[]> =>
  (await objectsOf(connection, namePrefix)).map(({ name }) => name.toLowerCase());

/** Drops the object of this name if setUp() has made it. */
export async function dropObject(connection: DrdaConnection, wanted: string): Promise<void> {
  for (const { kind, name } of await objectsOf(connection, wanted))
    if (name === catalogName(wanted)) await run(connection, `DROP ${kind} ${tableSql({ name })}`);
}
