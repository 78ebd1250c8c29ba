import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { RunningServer } from '#engine-api/database.ts';
import { needsRestartText, unknownParameterText } from '#engine-api/support/server-parameters.ts';
import { DynoError } from '#model/error.ts';
import { runningServer } from '../../shared/running-server.ts';
import { poolerOf } from '../connection/pooler.ts';
import { literal } from '../values/values.ts';

/** The keys of the advisory lock: "Dyno" in ASCII, and a number of its own. */
const lock = '1148808815, 1';

/** The server rereads its files in a moment, unless a line of them is wrong. */
const reloadMs = 10_000;

/** The sources of values over which ALTER SYSTEM has priority. */
const below = ['default', 'configuration file', 'environment variable'];

/** The user's server, whose entries of ALTER SYSTEM are in postgresql.auto.conf. */
export function postgresRunningServer(client: Pick<pg.Client, 'query'> & pg.Client): RunningServer {
  let isHeld = false;
  /** True: the server may not have taken over the entries that this process, or a killed one, has written. */
  let isAhead = true;
  return runningServer({
    async hold() {
      if (poolerOf(client))
        throw new DynoError('unsupported', 'Dyno changes no parameters through a pooler.', {
          hint: 'Connect to the server itself.',
        });
      if (isHeld) return true;
      const { rows } = await client.query<{ held: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS held`);
      if (!rows[0]?.held) return false;
      // An advisory lock belongs to one database, but the parameters apply to all databases.
      const { rows: others } = await client.query(
        `SELECT 1 FROM pg_locks
          WHERE locktype = 'advisory' AND (classid, objid, objsubid) = (${lock}, 2) AND pid <> pg_backend_pid()`,
      );
      isHeld = others.length === 0;
      if (!isHeld) await client.query(`SELECT pg_advisory_unlock(${lock})`);
      return isHeld;
    },
    async states(names) {
      const { rows } = await client.query<StateRow>(
        `SELECT name, current_setting(name) AS value, context, source, entry
           FROM pg_settings LEFT JOIN
                (SELECT DISTINCT ON (lower(name)) lower(name) AS name, setting AS entry
                   FROM pg_file_settings WHERE sourcefile ~ '[/\\\\]postgresql[.]auto[.]conf$'
                  ORDER BY lower(name), seqno DESC) AS entries USING (name)
          WHERE name = ANY ($1)`,
        [names],
      );
      const found = new Map(rows.map((row) => [row.name, row]));
      return Object.fromEntries(names.map((name) => [name, { ...stateOf(name, found.get(name)), isAhead }]));
    },
    async write(entries) {
      isAhead = true;
      for (const [name, entry] of Object.entries(entries))
        await client.query(
          entry === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = ${literal(entry)}`,
        );
      const before = await loadedAt(client);
      await client.query('SELECT pg_reload_conf()');
      // A session takes the new values between two statements.
      for (const deadline = performance.now() + reloadMs; (await loadedAt(client)) === before; await sleep(5))
        if (performance.now() > deadline)
          throw new DynoError('other', 'The server has not taken its changed configuration over.', {
            hint: 'See pg_file_settings.error: a wrong line in a file of the configuration keeps the server from it.',
          });
      isAhead = false;
    },
    isSame: (entry, found) => entry === found,
  });
}

interface StateRow {
  readonly name: string;
  readonly value: string;
  readonly context: string;
  readonly source: string;
  readonly entry: string | null;
}

function stateOf(name: string, row: StateRow | undefined): Awaited<ReturnType<RunningServer['states']>>[string] {
  if (!row) return { value: null, entry: null, refusal: unknownParameterText(name) };
  const { value, context, source, entry } = row;
  const refusal =
    context === 'postmaster' || context === 'internal'
      ? needsRestartText(name)
      : below.includes(source)
        ? null
        : `${name} is set by another source (${source}), which has priority over ALTER SYSTEM.`;
  return { value, entry, refusal };
}

async function loadedAt(client: Pick<pg.Client, 'query'>): Promise<string> {
  const { rows } = await client.query<{ at: string }>('SELECT pg_conf_load_time()::text AS at');
  return rows[0]!.at;
}
