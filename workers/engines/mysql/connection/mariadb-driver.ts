/*
 * Private members of mariadb that this file uses; driver-privates.test.ts has a contract for each: Connection.__tests,
 * Connection.info.status, Prepare.execute with options, Prepare.executeStream with options.
 */
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  type ConnectionConfig,
  createConnection,
  type Connection as Driver,
  type Prepare,
  type UpsertResult,
} from 'mariadb';
import type { Pooler } from '#engine-api/fingerprint.ts';
import { createLosses } from '../../shared/first-loss.ts';
import { tlsOptions } from '../../shared/tls.ts';
import { toError } from '../errors.ts';
import { streamOf } from '../values/load-text.ts';
import { type ExactNumbers, valuesOf } from '../values/parameters.ts';
import type { ParameterValue } from '../values/values.ts';
import {
  answerOf,
  atMost,
  type ConnectionRequest,
  type Flavour,
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

type Result = readonly (readonly unknown[])[] | UpsertResult;

/** The options of a connection for one method, which cannot change later. */
const flavours: Readonly<Record<Flavour, ConnectionConfig>> = {
  usual: { pipelining: true },
  // execute() then prepares the statement for each call; if the server is MariaDB, in one round trip with the
  // execution.
  unprepared: { pipelining: true, prepareCacheLength: 0 },
  // The connector refuses both together, because it could take the next statement for the file.
  localFiles: { pipelining: false, permitLocalInfile: true },
  // Only mysql2 sends such texts.
  severalStatements: { pipelining: true },
};

export async function connectMariadb({ config, tag, flavour }: ConnectionRequest): Promise<MysqlConnection> {
  const { host, port, user, password, connectTimeoutMs, via } = config;
  const options = tlsOptions(config.ssl, config.ca, config);
  // The connector does not tell Node the address, and Node would compare the certificate with "localhost".
  const identity = {
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
  };
  const ssl = options && { ...options, ...identity };
  const driver = await createConnection({
    ...(host.startsWith('/') ? { socketPath: host } : { host, port }),
    // The host is then only the name that the certificate must have.
    ...(via && { stream: () => connect({ ...via, noDelay: true }) }),
    user,
    ...(password !== null && { password }),
    ...(ssl && { ssl }),
    connectTimeout: connectTimeoutMs,
    connectAttributes: { program_name: tag },
    // This allows MySQL's own login without TLS; mysql2 does the same.
    allowPublicKeyRetrieval: true,
    rowsAsArray: true,
    // Exact values: integers beyond 2^53 and decimals as text, dates as the server wrote them.
    supportBigNumbers: true,
    dateStrings: true,
    // Values of rows do not belong in messages.
    logParam: false,
    ...flavours[flavour],
  });
  // Without a listener the event would end the process.
  driver.on('error', (error) => losses.note(driver, error));
  return new MariadbConnection(driver);
}

const losses = createLosses<Driver>(toError);

const touched = (result: Result): number => {
  const { rows, affectedRows } = answerOf(result);
  return rows?.length ?? affectedRows;
};

/**
 * The connector by default reads int64 as bigint and decimals as text, but parses and rounds JSON. The options of
 * connections read numbers, as most programs do.
 */
const exactly = { supportBigNumbers: false, autoJsonMap: false, jsonStrings: true } as const;

/** The types do not show that a statement takes options, as a connection does. */
type ExactPrepare = Omit<Prepare, 'execute' | 'executeStream'> & {
  execute<T>(values: ParameterValue[], options?: typeof exactly): Promise<T>;
  executeStream(values: ParameterValue[], options?: typeof exactly): Readable;
};

const int32 = 2_147_483_647;

/**
 * The connector sends a whole number of 32 bits as an INT and a bigint as a BIGINT. It has no decimals, so decimals and
 * doubles are sent as text that the statement converts. MySQL before 8.0.17 has no CAST to DOUBLE.
 */
const exactNumbers: ExactNumbers = {
  integer: (value) => (value >= -int32 && value < int32 ? Number(value) : BigInt(value)),
  decimal: (text) => text,
  float: String,
  place(type) {
    switch (type.kind) {
      case 'float':
        return '(? * 1e0)';
      case 'decimal':
        return `CAST(? AS DECIMAL(${'anyScale' in type ? '65, 30' : `${type.precision}, ${type.scale}`}))`;
      default:
        return '?';
    }
  },
};

const answerWith = (result: unknown): QueryResult => {
  const columns = columnsOf(result);
  return answerOf(
    result,
    columns.map((one) => one.name()),
    columns.map(({ columnType, collation }) => ({ type: columnType, collation: collation.index })),
  );
};

class MariadbConnection implements MysqlConnection {
  readonly threadId: number;
  pooler: Pooler | null = null;
  readonly mariadb: number | null;
  readonly exact = exactNumbers;
  packetLimit = Number.POSITIVE_INFINITY;
  readonly #driver: Driver;
  readonly #socket: Socket;
  constructor(driver: Driver) {
    this.#driver = driver;
    this.threadId = driver.threadId ?? 0;
    this.mariadb = mariadbVersion(driver.serverVersion());
    // The connector shows its socket in no other way.
    this.#socket = (driver as Driver & { readonly __tests: { getSocket(): Socket } }).__tests.getSocket();
  }

  async query(sql: string): Promise<QueryResult> {
    return answerWith(await this.#told(this.#driver.query(sql)));
  }
  async queryExactly(sql: string): Promise<QueryResult> {
    return answerWith(await this.#told(this.#driver.query({ sql, ...exactly })));
  }
  some(sql: string, limit: RowLimit): Promise<QueryResult> {
    return this.#told(someOf(this.#driver.queryStream({ sql, ...exactly }), limit));
  }
  async load(sql: string, text: Buffer): Promise<QueryResult> {
    // The connector makes one long packet of the file, which the server joins before it looks at the length.
    fitting(text, this.packetLimit);
    return answerOf(await this.#told(this.#driver.query({ sql, infileStreamFactory: () => streamOf(text) })));
  }
  encode(sql: string): TextCall {
    return fitting(sql, this.packetLimit);
  }
  readonly start = null;
  readonly startTogether = null;
  async run(sql: TextCall): Promise<number> {
    return touched(await this.#told(this.#driver.query<Result>(sql as string)));
  }
  stream(sql: string): Promise<number> {
    return this.#told(rowsOf(this.#driver.queryStream(sql)));
  }
  async prepare(sql: string): Promise<Prepared> {
    const statement = (await this.#told(this.#driver.prepare(sql))) as ExactPrepare;
    return {
      encoder: (parameters) => (batch) => fitting(valuesOf(parameters, batch), this.packetLimit),
      run: async (values) => touched(await this.#told(statement.execute<Result>(values as ParameterValue[]))),
      answer: async (values) => answerWith(await this.#told(statement.execute(values, exactly))),
      some: (values, limit) => this.#told(someOf(statement.executeStream(values, exactly), limit)),
      stream: (values) => this.#told(rowsOf(statement.executeStream(values))),
    };
  }
  async runOnce(sql: string, values: ParameterValue[]): Promise<number> {
    return touched(await this.#told(this.#driver.execute<Result>(sql, values)));
  }
  async answerOnce(sql: string, values: ParameterValue[]): Promise<QueryResult> {
    return answerWith(await this.#told(this.#driver.execute({ sql, ...exactly }, values)));
  }
  async someOnce(sql: string, values: ParameterValue[], limit: RowLimit): Promise<QueryResult> {
    const statement = (await this.#told(this.#driver.prepare(sql))) as ExactPrepare;
    try {
      return await this.#told(someOf(statement.executeStream(values, exactly), limit));
    } finally {
      statement.close();
    }
  }
  async streamOnce(sql: string, values: ParameterValue[]): Promise<number> {
    const statement = await this.#told(this.#driver.prepare(sql));
    try {
      return await this.#told(rowsOf(statement.executeStream(values)));
    } finally {
      statement.close();
    }
  }
  readonly batch = async (sql: string, rows: ParameterValue[][]): Promise<number> => {
    // One sum is returned for all rows. From 11.5 on the server answers with a row for each, which the connector reads
    // by name.
    const options = { sql, fullResult: false, rowsAsArray: false };
    return touched(await this.#told(this.#driver.batch<Result>(options, rows)));
  };

  /** Names the reason of a lost connection in the error. */
  async #told<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw losses.first(this.#driver, error);
    }
  }

  /** After an error the connector assumes an open transaction, because the server does not say. */
  inTransaction(): boolean {
    return isOpenIn((this.#driver.info as { readonly status?: number } | null)?.status ?? usualStatus) === true;
  }
  wireBytes() {
    return { sent: this.#socket.bytesWritten, received: this.#socket.bytesRead };
  }
  async end(): Promise<void> {
    await atMost(patienceMs, this.#driver.end());
    this.#socket.destroy();
  }
  destroy(): void {
    this.#socket.destroy();
  }
}

/** The connector adds the columns to the rows as a property. */
const columnsOf = (result: unknown): readonly DriverColumn[] =>
  (result as { readonly meta?: readonly DriverColumn[] }).meta ?? [];

interface DriverColumn {
  name(): string;
  readonly columnType: number;
  readonly collation: { readonly index: number };
}

/** The first rows of a statement's answer; of several results, those of the first. */
async function someOf(stream: Readable, limit: RowLimit): Promise<QueryResult> {
  const first = rowsUpTo(limit);
  const results: (readonly DriverColumn[])[] = [];
  let header: unknown = null;
  const thrown = await new Promise<unknown>((ended) => {
    stream
      .on('fields', (meta: readonly DriverColumn[]) => results.push(meta))
      .on('data', (row: unknown) => {
        if (!Array.isArray(row)) header = row;
        else if (results.length === 1) first.add(row);
      })
      .on('error', ended)
      .on('end', () => ended(null));
  });
  await first.over(thrown);
  const [meta] = results;
  return meta ? answerWith(Object.assign(first.rows, { meta })) : answerWith(header);
}

const rowsOf = (stream: Readable): Promise<number> =>
  new Promise((resolve, reject) => {
    let rows = 0;
    stream
      .on('data', () => {
        rows++;
      })
      .on('error', reject)
      .on('end', () => resolve(rows));
  });
