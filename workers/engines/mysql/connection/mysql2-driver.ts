/*
 * Private members of mysql2 that this file uses; driver-privates.test.ts has a contract for each: Connection.stream,
 * Connection._handshakePacket, Connection.serverCapabilityFlags, Connection.config.clientFlags,
 * Connection.config.jsonStrings, PrepareStatementInfo.id.
 */
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { checkServerIdentity, TLSSocket } from 'node:tls';
import mysql from 'mysql2';
import type { Pooler } from '#engine-api/fingerprint.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import { createLosses } from '../../shared/first-loss.ts';
import { promised } from '../../shared/promised.ts';
import { socketForReader } from '../../shared/socket-reads.ts';
import { tlsOptions } from '../../shared/tls.ts';
import { toError } from '../errors.ts';
import { streamOf } from '../values/load-text.ts';
import { type ExactNumbers, valuesOf } from '../values/parameters.ts';
import type { ParameterValue } from '../values/values.ts';
import { type DriverConnection, LeanPath } from '../wire/lean-path.ts';
import { ExecuteEncoder, queriesPacket, queryPacket } from '../wire/packets.ts';
import {
  answerOf,
  atMost,
  type ConnectionRequest,
  fitting,
  isOpenIn,
  type MysqlConnection,
  mariadbVersion,
  type Prepared,
  patienceMs,
  type QueryResult,
  type RowLimit,
  rowsUpTo,
  type TextCall,
  usualStatus,
} from './connection.ts';

interface Internals extends DriverConnection {
  readonly _handshakePacket: { readonly serverVersion: string };
  readonly serverCapabilityFlags: number;
  readonly config: { jsonStrings: boolean; readonly clientFlags: number };
}
interface Statement extends mysql.PrepareStatementInfo {
  readonly id: number;
}
type Driver = mysql.Connection & Internals;
type Callback = (error: mysql.QueryError | null, result: unknown) => void;
/** A command without a callback, which emits its rows. */
type Command = { on(event: string, listener: (value: unknown) => void): Command };

/** Opens a connection. It uses callbacks, because the driver's promises add a stack trace to every call. */
export async function connectMysql2(
  { config, tag, flavour, lean = false }: ConnectionRequest,
  stop?: StopSignal,
): Promise<MysqlConnection> {
  const { host, port, user, password, connectTimeoutMs, via } = config;
  const address = via ?? (host.startsWith('/') ? { path: host } : { host, port });
  const ssl = tlsOptions(config.ssl, config.ca, config);
  // mysql2 compares the certificate with a host's name, but not with an address.
  const byAddress = isIP(host) !== 0;
  const driver = mysql.createConnection({
    ...(host.startsWith('/') ? { socketPath: host } : { host, port }),
    // The host is then only the name that the certificate must have.
    ...(via && { stream: () => connect({ ...via, noDelay: true }) }),
    // With TLS, the TLS socket reads this socket, so the lean path cannot read it.
    ...(lean && !ssl && { stream: () => socketForReader().connect(address).setNoDelay(true) }),
    user,
    ...(password !== null && { password }),
    ...(ssl && { ssl: { ...ssl, verifyIdentity: ssl.rejectUnauthorized && !byAddress } }),
    // Without this capability the server itself refuses the statement; the driver would leave a prepared one without an
    // answer.
    ...(flavour !== 'localFiles' && { flags: ['-LOCAL_FILES'] }),
    multipleStatements: flavour === 'severalStatements',
    connectTimeout: connectTimeoutMs,
    connectAttributes: { program_name: tag },
    rowsAsArray: true,
    // Exact values: integers beyond 2^53 and decimals as text, dates as the server wrote them.
    supportBigNumbers: true,
    dateStrings: true,
  }) as Driver;
  // Without a listener the event would end the process.
  driver.on('error', (error) => losses.note(driver, error));
  const abort = () => driver.stream.destroy(new Error('Connecting was stopped.'));
  stop?.addEventListener('abort', abort);
  try {
    await answered<void>(driver, (done) => driver.connect((error) => done(error, undefined)));
    const { stream } = driver;
    if (ssl?.rejectUnauthorized && byAddress && stream instanceof TLSSocket) {
      const wrong = checkServerIdentity(host, stream.getPeerCertificate());
      if (wrong) throw wrong;
    }
  } catch (error) {
    driver.destroy();
    throw error;
  } finally {
    stop?.removeEventListener('abort', abort);
  }
  return new Mysql2Connection(driver, lean);
}

const losses = createLosses<Driver>(toError);

const answered = <T>(driver: Driver, send: (callback: (error: Error | null, result: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) =>
    send((error, result) => (error ? reject(losses.first(driver, error)) : resolve(result))),
  );

/** Takes the outcome of a call. */
type Note = (error: unknown, answer: unknown) => void;

/** Sends, and resolves with the rows that were returned or affected. */
const touched = (driver: Driver, send: (callback: Callback) => void, note: Note): Promise<number> =>
  new Promise((resolve, reject) =>
    send((error, answer) => {
      note(error, answer);
      if (error) return reject(losses.first(driver, error));
      const { rows, affectedRows } = answerOf(answer);
      resolve(rows?.length ?? affectedRows);
    }),
  );

/** Sends, and resolves with the answer and its columns. */
const withColumns = (
  driver: Driver,
  send: (callback: (error: Error | null, result: unknown, fields: unknown) => void) => void,
): Promise<QueryResult> =>
  new Promise((resolve, reject) =>
    send((error, result, fields) =>
      error ? reject(losses.first(driver, error)) : resolve(withFields(result, fields)),
    ),
  );

function withFields(result: unknown, fields: unknown): QueryResult {
  const named = Array.isArray(fields) ? fields.filter((field) => typeof field?.name === 'string') : [];
  return answerOf(
    result,
    named.map(({ name }) => String(name)),
    named.map(({ columnType, characterSet }) => ({ type: columnType, collation: characterSet })),
  );
}

/** Numbers of declared types (MySQL's documentation, "COM_STMT_EXECUTE"). */
export const typedNumbers: ExactNumbers = {
  integer: (value) => mysql.TypedParameter.LONGLONG(value),
  decimal: (text) => mysql.TypedParameter.NEWDECIMAL(text),
  float: (value) => mysql.TypedParameter.DOUBLE(value),
  place: () => '?',
};

/** A capability flag of the protocol. */
const queryAttributes = 0x08_00_00_00;

class Mysql2Connection implements MysqlConnection {
  readonly threadId: number;
  pooler: Pooler | null = null;
  readonly mariadb: number | null;
  readonly batch = null;
  readonly exact = typedNumbers;
  packetLimit = Number.POSITIVE_INFINITY;
  readonly start: MysqlConnection['start'];
  readonly startTogether: MysqlConnection['startTogether'];
  readonly #driver: Driver;
  readonly #lean: LeanPath | null;
  /** The status flags of the last answer to the driver; the lean path keeps its own. */
  #status: number | null = usualStatus;
  readonly #send: ((packet: Uint8Array) => Promise<number>) | null;
  /** Client and server have agreed on attributes of queries. */
  readonly #attributes: boolean;
  constructor(driver: Driver, lean: boolean) {
    this.#driver = driver;
    this.#lean = lean ? new LeanPath(driver, (error) => losses.first(driver, error), usualStatus) : null;
    this.start = this.#lean?.send ?? null;
    this.#send = this.start && promised(this.start);
    const { sendTogether } = this.#lean ?? {};
    this.startTogether =
      sendTogether === undefined
        ? null
        : (statements, callers) => {
            let packet: Uint8Array;
            try {
              packet = fitting(queriesPacket(statements, this.#attributes), this.packetLimit);
            } catch (thrown) {
              for (const caller of callers) process.nextTick(() => caller.failed(thrown));
              return;
            }
            sendTogether(packet, callers);
          };
    this.#attributes = (driver.config.clientFlags & driver.serverCapabilityFlags & queryAttributes) !== 0;
    this.threadId = driver.threadId ?? 0;
    this.mariadb = mariadbVersion(driver._handshakePacket.serverVersion);
  }

  query(sql: string): Promise<QueryResult> {
    return this.#ask({ sql });
  }
  queryExactly(sql: string): Promise<QueryResult> {
    return this.#exactly(() => this.query(sql));
  }
  some(sql: string, limit: RowLimit): Promise<QueryResult> {
    return this.#exactly(() => this.#some(() => this.#driver.query({ sql }), limit));
  }
  load(sql: string, text: Buffer): Promise<QueryResult> {
    return this.#ask({ sql, infileStreamFactory: () => streamOf(text) });
  }
  #ask(options: mysql.QueryOptions): Promise<QueryResult> {
    return withColumns(this.#driver, (callback) => this.#driver.query(options, callback));
  }
  encode(sql: string): TextCall {
    return fitting(this.#send ? queryPacket(sql, this.#attributes) : sql, this.packetLimit);
  }
  run(call: TextCall): Promise<number> {
    if (typeof call !== 'string') return this.#send!(call);
    return touched(this.#driver, (callback) => this.#driver.query({ sql: call }, callback), this.#note);
  }
  stream(sql: string): Promise<number> {
    return this.#rows(() => this.#driver.query({ sql }));
  }
  async prepare(sql: string): Promise<Prepared> {
    const statement = await answered<mysql.PrepareStatementInfo>(this.#driver, (callback) =>
      this.#driver.prepare(sql, callback),
    );
    const { id } = statement as Statement;
    return {
      encoder: (parameters) => {
        if (!this.#send) return (batch) => fitting(valuesOf(parameters, batch), this.packetLimit);
        const encoder = new ExecuteEncoder(id, parameters, this.#attributes);
        return (batch) => fitting(encoder.encode(batch), this.packetLimit);
      },
      run: (call) =>
        call instanceof Uint8Array
          ? this.#send!(call)
          : touched(this.#driver, (callback) => statement.execute(call as ParameterValue[], callback), this.#note),
      answer: (values) =>
        this.#exactly(() => withColumns(this.#driver, (callback) => statement.execute(values, callback))),
      some: (values, limit) => this.#exactly(() => this.#some(() => statement.execute(values), limit)),
      stream: (values) => this.#rows(() => statement.execute(values)),
      rows: (most) => {
        const rows = (statement.execute([]) as unknown as mysql.Query).stream({ highWaterMark: most });
        // The driver reports a lost connection to the connection alone.
        const fail = (error: Error) => rows.destroy(error);
        this.#driver.on('error', fail);
        return rows.once('close', () => this.#driver.off('error', fail));
      },
    };
  }
  runOnce(sql: string, values: ParameterValue[]): Promise<number> {
    return this.#once(sql, () =>
      touched(this.#driver, (callback) => this.#driver.execute({ sql, values }, callback), this.#note),
    );
  }
  answerOnce(sql: string, values: ParameterValue[]): Promise<QueryResult> {
    const answer = () => withColumns(this.#driver, (callback) => this.#driver.execute({ sql, values }, callback));
    return this.#once(sql, () => this.#exactly(answer));
  }
  someOnce(sql: string, values: ParameterValue[], limit: RowLimit): Promise<QueryResult> {
    const some = () => this.#some(() => this.#driver.execute({ sql, values }), limit);
    return this.#once(sql, () => this.#exactly(some));
  }
  streamOnce(sql: string, values: ParameterValue[]): Promise<number> {
    return this.#once(sql, () => this.#rows(() => this.#driver.execute({ sql, values })));
  }
  /** Runs a statement that is prepared for one call. */
  async #once<T>(sql: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#driver.unprepare(sql);
    }
  }

  /**
   * Returns JSON as the server wrote it, to be shown or captured; elsewhere the driver parses it, as in most programs.
   * A connection runs one command at a time.
   */
  async #exactly<T>(work: () => Promise<T>): Promise<T> {
    this.#driver.config.jsonStrings = true;
    try {
      return await work();
    } finally {
      this.#driver.config.jsonStrings = false;
    }
  }

  /**
   * Counts a command's rows. A lost connection is reported to the connection, and not to a command without a callback.
   */
  #rows(start: () => unknown): Promise<number> {
    const driver = this.#driver;
    return new Promise((resolve, reject) => {
      let rows = 0;
      const fail = (error: unknown) => {
        driver.off('error', fail);
        reject(losses.first(driver, error));
      };
      driver.on('error', fail);
      (start() as Command)
        .on('result', () => {
          rows++;
        })
        .on('error', fail)
        .on('end', () => {
          driver.off('error', fail);
          resolve(rows);
        });
    });
  }

  /** The first rows of a command's answer; of several results, those of the first. */
  async #some(start: () => unknown, limit: RowLimit): Promise<QueryResult> {
    const driver = this.#driver;
    const first = rowsUpTo(limit);
    const results: unknown[] = [];
    let header: unknown = null;
    let over = () => {};
    const thrown = await new Promise<unknown>((ended) => {
      // A lost connection is reported to the connection, and not to a command without a callback.
      driver.on('error', ended);
      over = () => driver.off('error', ended);
      (start() as Command)
        .on('fields', (fields) => results.push(fields))
        .on('result', (row) => {
          if (!Array.isArray(row)) header = row;
          else if (results.length === 1) first.add(row);
        })
        .on('error', ended)
        .on('end', () => ended(null));
    });
    over();
    try {
      await first.over(thrown);
    } catch (error) {
      throw losses.first(driver, error);
    }
    return withFields(Array.isArray(results[0]) ? first.rows : header, results[0]);
  }

  /** The flags of the last answer on either path. */
  get #flags(): number | null {
    return this.#lean ? this.#lean.status : this.#status;
  }
  /** The header of an answer without rows has the flags; an answer with rows leaves them as they are. */
  readonly #note: Note = (error, answer) => {
    const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
    const { serverStatus } = (last ?? {}) as { readonly serverStatus?: number };
    const status = error ? null : (serverStatus ?? this.#flags ?? usualStatus);
    if (this.#lean) this.#lean.status = status;
    this.#status = status;
  };
  inTransaction(): boolean | null {
    return isOpenIn(this.#flags);
  }
  wireBytes() {
    const { bytesWritten, bytesRead } = this.#driver.stream;
    return { sent: bytesWritten, received: bytesRead };
  }
  async end(): Promise<void> {
    const { stream } = this.#driver;
    if (stream.destroyed) return;
    const closed = once(stream, 'close').catch(() => {}); // a broken connection is closed, too
    this.#driver.end(() => {});
    await atMost(patienceMs, closed);
    stream.destroy();
  }
  destroy(): void {
    this.#driver.destroy();
  }
}
