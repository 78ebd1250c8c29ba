import type { Connection } from 'tedious';
import type { RunningServer } from '#engine-api/database.ts';
import { needsRestartText } from '#engine-api/support/server-parameters.ts';
import { DynoError } from '#model/error.ts';
import type { AskedParameters } from '#model/settings/server-parameters.ts';
import { judgedStates, type KnownState, runningServer } from '../../shared/running-server.ts';
import { query } from '../wire/request.ts';

const text = (name: string): string => `N'${name.replaceAll("'", "''")}'`;

/** Named with its database, a procedure of the system runs there, so the lock is one of the whole server. */
export const holdSql = `DECLARE @got int;
EXEC @got = master.sys.sp_getapplock @Resource = N'dyno server parameters', @LockMode = 'Exclusive',
     @LockOwner = 'Session', @LockTimeout = 0;
SELECT @got AS got`;

/**
 * RECONFIGURE takes over every option that is configured and not in use. A minimum of memory of 0 is always in use as
 * another value.
 */
export const statesSql = (names: readonly string[]): string => `
SELECT c.name, CAST(c.value AS bigint) AS configured, CAST(c.value_in_use AS bigint) AS used, c.is_dynamic, c.is_advanced,
       (SELECT CAST(a.value_in_use AS int) FROM sys.configurations AS a WHERE a.name = 'show advanced options') AS shown,
       (SELECT TOP (1) o.name FROM sys.configurations AS o
         WHERE o.is_dynamic = 1 AND o.value <> o.value_in_use AND o.name <> 'min server memory (MB)'
         ORDER BY CASE WHEN o.name = c.name THEN 1 ELSE 0 END) AS pending
  FROM sys.configurations AS c
 WHERE c.name IN (${names.map(text).join(', ')})`;

type StateRow = {
  readonly name: string;
  readonly configured: unknown;
  readonly used: unknown;
  readonly is_dynamic: unknown;
  readonly is_advanced: unknown;
  readonly shown: unknown;
  readonly pending: string | null;
};

const isSame = (entry: string, found: string): boolean => Number(entry) === Number(found);

async function statesOf(
  connection: Connection,
  names: readonly string[],
): Promise<Readonly<Record<string, KnownState>>> {
  const rows = await query<StateRow>(connection, statesSql(names));
  const found = new Map(rows.map((row) => [row.name, row]));
  return Object.fromEntries(names.map((name) => [name, stateOf(name, found.get(name))]));
}

function stateOf(name: string, row: StateRow | undefined): KnownState {
  if (!row) return { value: null, entry: null, refusal: `This server has no option ${name}.` };
  const refusal = !Number(row.is_dynamic)
    ? needsRestartText(name)
    : Number(row.is_advanced) && !Number(row.shown)
      ? `${name} is an advanced option, and they are not shown: run EXEC sp_configure 'show advanced options', 1; RECONFIGURE.`
      : row.pending === name
        ? `${name} is configured as ${row.configured}, and ${row.used} is in use, which Dyno could not give back.`
        : row.pending !== null
          ? `${row.pending} is configured and not in use yet, and the RECONFIGURE of ${name} would take it over, too.`
          : null;
  return {
    value: String(row.used),
    entry: String(row.configured),
    refusal,
    isAhead: Number(row.used) !== Number(row.configured),
  };
}

/** The values in use. */
export const readServerParameters = async (connection: Connection, asked: AskedParameters) =>
  judgedStates(await statesOf(connection, Object.keys(asked)), asked, isSame);

/** The user's server, whose options outlive a restart, like the settings of PostgreSQL's ALTER SYSTEM. */
export const sqlserverRunningServer = (connection: Connection): RunningServer =>
  runningServer({
    async hold() {
      const [row] = await query<{ readonly got: number }>(connection, holdSql);
      return row !== undefined && row.got >= 0;
    },
    states: (names) => statesOf(connection, names),
    async write(entries) {
      const changes = Object.entries(entries).map(([name, entry]) => {
        if (entry === null || !/^-?\d+$/.test(entry)) throw new DynoError('badInput', `${name} takes a number.`);
        return `EXEC sys.sp_configure ${text(name)}, ${entry};`;
      });
      await query(connection, [...changes, 'RECONFIGURE;'].join('\n'));
    },
    isSame,
  });
