/*
 * Private members of pg that this file uses; driver-privates.test.ts has a contract for each: Client.processID,
 * Client.secretKey, Connection.attachListeners, Connection.cancel, Connection.connect, Connection.requestSsl, event
 * errorMessage of Connection, event parameterStatus of Connection, event sslconnect of Connection.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import type { Pooler } from '#engine-api/fingerprint.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import { DynoError } from '#model/error.ts';
import { applySettings, connectingError, ofTrialAt } from '../../shared/connecting.ts';
import { createLosses } from '../../shared/first-loss.ts';
import { limitLogin, publishOpened } from '../../shared/login-limit.ts';
import { socketForReader } from '../../shared/socket-reads.ts';
import { checkedAs, tlsOptions } from '../../shared/tls.ts';
import { type PostgresConfig, config as parser, socketIn } from '../config.ts';
import { toError, unreadableBy } from '../errors.ts';
import { LeanPath } from '../wire/lean-path.ts';
import { OwnTransactions, queryInTransactions, trySetting } from '../wire/own-transactions.ts';
import { answerGssapi } from './gssapi.ts';
import { nameUnlessPooled, notePooler } from './pooler.ts';

type Client = pg.Client & { readonly processID: number | null; readonly secretKey: number | null };

export interface Connected {
  readonly client: pg.Client;
  readonly socket: Socket;
  /** Null: calls go through the driver's query(). */
  readonly lean: LeanPath | null;
  /**
   * The settings that a connection makes in each transaction, behind a pooler or for a read-only target. Null: it makes
   * none.
   */
  readonly own: OwnTransactions | null;
}

// Values stay the server's text: an application decides whether to pay for dates and numbers, not the server or the
// driver.
const asText = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;

const addressOf = ({ host, port, via = { host, port } }: PostgresConfig) => via;

function tls(config: PostgresConfig) {
  const { ssl, ca, host, via } = config;
  const options = tlsOptions(ssl, ca, config);
  return options !== null && { ...options, ...(via && checkedAs(host)) };
}

/** A pooler that has been recognised and not examined yet. */
const unexamined: Pooler = { shares: 'transactions', keepsStatements: false };

/**
 * Opens one connection, marked by `tag`, with the configured session settings. `lean`: its calls take the lean path.
 * `pooler`: the known facts of the pooler, if there is one. `isolation`: the session's level, in the server's words.
 */
export async function connect(
  config: PostgresConfig,
  tag: string,
  {
    signal,
    lean = false,
    pooler = unexamined,
    isolation,
  }: {
    readonly signal?: StopSignal;
    readonly lean?: boolean;
    readonly pooler?: Pooler;
    readonly isolation?: string;
  } = {},
): Promise<Connected> {
  signal?.throwIfAborted();
  const ssl = tls(config);
  const client = new pg.Client({
    // With TLS, the TLS socket reads this socket, so the lean path cannot read it.
    ...(lean && !ssl && { stream: socketForReader }),
    ...addressOf(config),
    database: config.database,
    user: config.user,
    // Without a password the driver would take one from the account's .pgpass, whose lines may fit any server.
    password: () => (config.password ?? undefined) as string, // the types do not allow for no password
    ssl,
    connectionTimeoutMillis: config.connectTimeoutMs,
    types: asText,
  });
  endWhereUnreadable(client.connection);
  const lose = reportFirstLoss(client);
  let path: LeanPath | null = null;
  const mode = readOnlyMode(client, (why) => {
    lose(why);
    path?.refuse(why);
  });
  answerGssapi(client.connection, config);
  const stop = () => (client.connection.stream as Socket).destroy();
  signal?.addEventListener('abort', stop);
  let own: OwnTransactions | null = null;
  try {
    await limitLogin(config.connectTimeoutMs, async () => {
      publishOpened(client.connection.stream as Socket);
      await client.connect();
      // The driver has asked for UTF8 at login.
      const { sessionSettings, ofTrial = {} } = config;
      const settings = {
        ...sessionSettings,
        ...ofTrial,
        ...(isolation !== undefined && { default_transaction_isolation: isolation }),
        ...(config.readOnly && readOnlyDefault),
      };
      const pooled = await nameUnlessPooled(client, tag);
      const set = pooled
        ? (name: string, value: string) => trySetting(client, name, value)
        : (name: string, value: string) => client.query('SELECT set_config($1, $2, false)', [name, value]);
      const at = ofTrialAt('postgres');
      const place = (name: string) => (Object.hasOwn(ofTrial, name) ? at(name) : `sessionSettings.${name}`);
      await applySettings(settings, set, toError, 'SET', place);
      if (pooled) {
        own = new OwnTransactions(settings);
        notePooler(client, pooler);
        queryInTransactions(client, own, !pooler.keepsStatements);
      } else if (config.readOnly && !mode.endWhereSwitched()) {
        // Before PostgreSQL 14 the server does not report a switch of the session's default, so each call sets it.
        own = new OwnTransactions(readOnlyDefault);
        queryInTransactions(client, own, false);
      }
    });
  } catch (error) {
    // end() would wait for the other side to hang up, and the other side may be no PostgreSQL.
    stop();
    signal?.throwIfAborted();
    throw connectingError(parser.describe(config).address, config.user, toError(error));
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  const socket = client.connection.stream as Socket;
  const lost = () => losses.first(client, new Error('Connection terminated unexpectedly')) as Error;
  path = lean ? new LeanPath(client, lost, own) : null;
  return { client, socket, lean: path, own };
}

const readOnlyDefault = { default_transaction_read_only: 'on' } as const;

/**
 * Watches the default that makes each transaction of a session read-only. A function behind a view can switch it off,
 * though not for the current transaction. The server reports that before the call's answer has ended (ParameterStatus,
 * from PostgreSQL 14 on). `refuse` keeps the session from sending further calls.
 */
function readOnlyMode(client: pg.Client, refuse: (why: Error) => void): { endWhereSwitched(): boolean } {
  let told: string | null = null;
  let isWatched = false;
  client.connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) => {
    if (status.parameterName !== 'default_transaction_read_only') return;
    told = status.parameterValue;
    if (isWatched && told !== 'on') refuse(switchedOff());
  });
  return {
    endWhereSwitched() {
      isWatched = told !== null;
      return isWatched;
    },
  };
}

const switchedOff = (): DynoError =>
  new DynoError(
    'permission',
    'Something that the call ran has switched the session’s default_transaction_read_only off: the session sends no further call.',
    {
      hint: 'The connection is marked as production and read-only. Look for set_config() in the functions behind the views that it reads.',
    },
  );

/**
 * Ends a connection whose server sends something that `pg` cannot read. The driver would throw into the socket's event,
 * or report an error of one statement and go on reading.
 */
function endWhereUnreadable(connection: pg.Connection): void {
  const inside = connection as pg.Connection & { attachListeners(stream: Pick<Socket, 'on'>): void };
  const end = (why: DynoError) => (connection.stream as Socket).destroy(why);
  const reading = (parse: (bytes: Buffer) => void) => (bytes: Buffer) => {
    try {
      parse(bytes);
    } catch (thrown) {
      const why = unreadableBy(thrown);
      if (why === null) throw thrown;
      end(why);
    }
  };
  const attach = inside.attachListeners;
  inside.attachListeners = (stream) => {
    const on = (event: string, listener: (...values: unknown[]) => void) =>
      stream.on(event, event === 'data' ? reading(listener) : listener);
    attach.call(inside, { on } as Socket);
  };
  connection.on('errorMessage', (error: Error) => {
    const why = unreadableBy(error);
    if (why) end(why);
  });
}

const losses = createLosses<pg.Client>(toError);

/**
 * Makes every call report why the connection was lost. `pg` reports the reason to the call in flight, or as an event;
 * later calls only hear that the client is not queryable. Calls of an open connection take the driver's own way.
 */
function reportFirstLoss(client: pg.Client): (error: Error) => void {
  const lost = (error: Error) => {
    losses.note(client, error);
    const why = () => losses.first(client, error) as Error;
    client.query = ((call: { handleError?(error: Error): void }) => {
      if (typeof call.handleError !== 'function') return Promise.reject(why());
      process.nextTick(() => call.handleError?.(why()));
      return call;
    }) as typeof client.query; // its overloads, of which Dyno uses those that answer with the request or a promise
  };
  // Errors of other classes about lost connections concern the server's own connections to other servers.
  client.connection.on('errorMessage', (error: Error) => {
    const { kind, code } = toError(error);
    if (kind === 'serverGone' && !code?.startsWith('08')) lost(error);
  });
  // Without a listener the event would end the process.
  client.on('error', lost);
  return lost;
}

/** Stops the call of a client's connection, over another connection (protocol: CancelRequest). */
export function cancelRequest(client: pg.Client, config: PostgresConfig): Promise<void> {
  const { processID, secretKey } = client as Client;
  const ssl = tls(config);
  const connection = new pg.Connection({ ssl } as pg.ConnectionConfig) as pg.Connection & {
    connect(port: number | string, host?: string): void;
    requestSsl(): void;
    cancel(processId: number | null, secretKey: number | null): void;
  };
  endWhereUnreadable(connection);
  return new Promise((resolve, reject) => {
    const send = () => connection.cancel(processID, secretKey);
    connection.on('connect', () => (ssl ? connection.requestSsl() : send()));
    connection.on('sslconnect', send);
    connection.on('error', reject);
    // The server closes the connection after it has sent the signal, without another answer.
    connection.on('end', () => resolve());
    const { host, port } = addressOf(config);
    if (host.startsWith('/')) connection.connect(socketIn(host, port));
    else connection.connect(port, host);
  });
}
