import type { StopSignal } from '#engine-api/stop-signal.ts';
import { applySettings, connectingError, ofTrialAt } from '../../shared/connecting.ts';
import { limitLogin } from '../../shared/login-limit.ts';
import { config as parser } from '../config.ts';
import { toError } from '../errors.ts';
import { quote } from '../names.ts';
import { literal } from '../values/values.ts';
import type { ConnectionRequest, MysqlConnection } from './connection.ts';
import { connectMariadb } from './mariadb-driver.ts';
import { connectMysql2 } from './mysql2-driver.ts';
import { findPooler, refuseUnfollowed } from './pooler.ts';
import { lockName } from './session-lock.ts';

export type DriverName = 'mysql2' | 'mariadb';

/** Settings of every session, whatever the server's defaults: UTF-8, UTC, strict values, explicit commits. */
const sessionSql = [
  'SET NAMES utf8mb4',
  `SET SESSION time_zone = '+00:00', autocommit = 1, wait_timeout = 28800,
    sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'`,
];

/** One connection over this driver, marked by its tag, with the configured settings. Only mysql2 supports `stop`. */
export async function connect(
  driver: DriverName,
  request: ConnectionRequest,
  stop?: StopSignal,
): Promise<MysqlConnection> {
  stop?.throwIfAborted();
  const { config } = request;
  try {
    return await limitLogin(config.connectTimeoutMs, async () => {
      const connection = driver === 'mariadb' ? await connectMariadb(request) : await connectMysql2(request, stop);
      try {
        await setUp(connection, request);
      } catch (error) {
        connection.destroy();
        throw error;
      }
      return connection;
    });
  } catch (error) {
    stop?.throwIfAborted();
    throw connectingError(parser.describe(config).address, config.user, toError(error));
  }
}

async function setUp(connection: MysqlConnection, request: ConnectionRequest): Promise<void> {
  const { config, tag, isolation, examinesPooler } = request;
  const pooler = await findPooler(connection, examinesPooler ? () => connectMysql2(request) : null);
  if (pooler) refuseUnfollowed(pooler);
  connection.pooler = pooler;
  for (const sql of sessionSql) await connection.query(sql);
  // A lock would bind a connection of the pool to this session, or stay with the connection.
  if (!pooler) await holdLock(connection, tag);
  if (config.database !== null) await selectDatabase(connection, config.database);
  const { rows } = await connection.query('SELECT @@SESSION.max_allowed_packet');
  connection.packetLimit = Number(rows?.[0]?.[0]);
  const set = (name: string, value: string) => connection.query(setSql(name, value));
  await applySettings(config.sessionSettings, set, toError, 'SET SESSION');
  await applySettings(config.ofTrial ?? {}, set, toError, 'SET SESSION', ofTrialAt('mysql'));
  if (config.readOnly) await connection.query('SET SESSION TRANSACTION READ ONLY');
  if (isolation) await connection.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`);
}

/**
 * Statements of the user's own are then read with the default database of the user's other clients. A database that
 * does not exist yet is made with Dyno's first table; a user without rights on it gets the missing grants named there.
 */
async function selectDatabase(connection: MysqlConnection, database: string): Promise<void> {
  try {
    await connection.query(`USE ${quote(database)}`);
  } catch (error) {
    if (!['1044', '1049'].includes(toError(error).code ?? '')) throw error;
  }
}

/** Makes the session visible to probes. Some clusters have no named locks, and the probe says so. */
async function holdLock(connection: MysqlConnection, tag: string): Promise<void> {
  try {
    await connection.query(`DO GET_LOCK(${lockName(tag, 'CONNECTION_ID()')}, 0)`);
  } catch (error) {
    if (!['unsupported', 'other'].includes(toError(error).kind)) throw error;
  }
}

/** Numeric settings refuse text. */
const setSql = (name: string, value: string): string =>
  `SET SESSION ${quote(name)} = ${/^-?\d+(\.\d+)?$/.test(value) ? value : literal(value)}`;

/** Stops the call of a connection over another connection. Users may always stop their own sessions. */
export async function killQuery(connection: MysqlConnection, request: ConnectionRequest): Promise<void> {
  const other = await connect('mysql2', request);
  try {
    await other.query(`KILL QUERY ${connection.threadId}`);
  } finally {
    await other.end();
  }
}
