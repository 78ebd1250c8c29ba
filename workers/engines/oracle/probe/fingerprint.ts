import type oracledb from 'oracledb';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import { Refusals } from '../../shared/refusals.ts';
import type { Dialect } from '../connection/dialect.ts';
import { toError } from '../errors.ts';
import { fingerprintViews, grantOf } from '../grants.ts';

/** Initialisation parameters (Database Reference) by what they decide. */
const durability = ['commit_logging', 'commit_wait', 'db_block_checksum', 'log_archive_config'];
const memory = [
  'memory_target',
  'sga_target',
  'pga_aggregate_target',
  'db_cache_size',
  'shared_pool_size',
  'log_buffer',
];
const other = [
  'compatible',
  'db_block_size',
  'cursor_sharing',
  'session_cached_cursors',
  'open_cursors',
  'processes',
  'sessions',
  'optimizer_mode',
  'statistics_level',
  'filesystemio_options',
  'disk_asynch_io',
  'max_string_size',
  'undo_retention',
];

export const parametersSql = `SELECT name, display_value FROM v$parameter WHERE name IN (${[...durability, ...memory, ...other].map((name) => `'${name}'`).join(', ')})`;
export const databaseSql =
  'SELECT log_mode, force_logging, flashback_on, protection_mode, database_role, platform_name FROM v$database';
export const logSql = 'SELECT COUNT(*), MIN(bytes), MAX(bytes) FROM v$log';
export const privilegesSql = 'SELECT privilege FROM session_privs';

/** Rights over the whole database that let a user change data; rights on single tables are not among them. */
const changing =
  /^((INSERT|UPDATE|DELETE|ALTER|DROP) ANY TABLE|CREATE (ANY )?(TABLE|PROCEDURE|TRIGGER)|ALTER DATABASE)$/;

/** True if one of a session's privileges lets it change data. */
export const mayChange = (privileges: readonly unknown[]): boolean =>
  privileges.some((one) => changing.test(String(one)));

/** Only a PostgreSQL behind the protocol answers this. */
const emulatorSql = "SELECT current_setting('fsync'), current_setting('synchronous_commit') FROM DUAL";

type Row = readonly (string | number | null)[];

/** Settings of the session, that is, after the target's own session settings. */
export async function fingerprint(connection: oracledb.Connection, dialect: Dialect): Promise<Fingerprint> {
  const refusals = new Refusals<string>(toError, (kind) => kind === 'permission' || kind === 'syntax');
  const ask = async (view: string, sql: string): Promise<readonly Row[]> => {
    const answer = async () => (await connection.execute<Row>(sql)).rows;
    return (
      (await refusals.ask(view, answer, ({ message }) => `${view}: ${message} — ${grantOf(view, dialect.owner)}`)) ?? []
    );
  };
  const [parameters, database, log] = fingerprintViews;
  const values = new Map((await ask(parameters, parametersSql)).map(([name, value]) => [String(name), value]));
  // An unset commit parameter is the server's default: WAIT and IMMEDIATE.
  const pick = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = values.get(name);
        if (value !== undefined && value !== null && value !== '') return [[name, String(value)]];
        return values.has(name) && name.startsWith('commit_') ? [[name, 'not set (WAIT, IMMEDIATE)']] : [];
      }),
    );
  const facts = databaseFacts((await ask(database, databaseSql))[0]);
  const [groups, smallest, largest] = (await ask(log, logSql))[0] ?? [];
  const privileges = (await ask('session_privs', privilegesSql)).map(([privilege]) => privilege);
  if (!privileges.includes('ALTER SYSTEM'))
    refusals.add(
      'ALTER SYSTEM',
      `A checkpoint before the clock, and cache: cold: GRANT ALTER SYSTEM TO ${dialect.owner}`,
    );
  const version = connection.oracleServerVersionString;
  return {
    product:
      dialect.emulator === null ? `Oracle Database ${version}` : `Oracle protocol emulator (calls itself ${version})`,
    version,
    emulator: dialect.emulator,
    durability: {
      ...pick(durability),
      ...facts.durability,
      ...(dialect.emulator && (await emulatorFacts(connection))),
    },
    memory: pick(memory),
    ...(values.get('db_block_size') && { pageBytes: Number(values.get('db_block_size')) }),
    other: {
      ...pick(other),
      ...facts.other,
      character_set: dialect.characterSet,
      ...(groups && { redo_log: `${groups} groups of ${megabytes(smallest)} to ${megabytes(largest)} MiB` }),
      driver_mode: connection.thin ? 'thin' : 'thick',
    },
    ...(mayChange(privileges) && { mayWrite: true }),
    unavailable: refusals.reasons,
  };
}

const megabytes = (bytes: unknown): number => Math.round(Number(bytes) / 1_048_576);

function databaseFacts(row: Row | undefined) {
  const [logMode, forceLogging, flashback, protection, role, platform] = row ?? [];
  const known = (facts: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(facts).flatMap(([name, fact]) => (fact ? [[name, String(fact)]] : [])));
  return {
    durability: known({
      log_mode: logMode,
      force_logging: forceLogging,
      flashback_on: flashback,
      protection_mode: protection,
    }),
    other: known({ database_role: role, platform_name: platform }),
  };
}

async function emulatorFacts(connection: oracledb.Connection): Promise<Readonly<Record<string, string>>> {
  const { rows } = await connection.execute<[string, string]>(emulatorSql);
  const [fsync = '', commit = ''] = rows?.[0] ?? [];
  return { 'fsync (emulator)': fsync, 'synchronous_commit (emulator)': commit };
}
