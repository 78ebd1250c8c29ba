import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { testDriverPrivates, type Untyped } from '../shared/driver-privates.fixture.ts';

const message = (type: string, body: Uint8Array | string = ''): Buffer => {
  const bytes = Buffer.from(body as string);
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};
const ready = message('Z', 'I');
const keyData = Buffer.from([0, 0, 0, 7, 0, 0, 0, 9]);

/** A socket that the test plays the server of. */
function fakeSocket() {
  const written: Buffer[] = [];
  const socket = Object.assign(new EventEmitter(), {
    writable: true,
    setNoDelay() {},
    connect: vi.fn(() => process.nextTick(() => socket.emit('connect'))),
    write: (bytes: Uint8Array) => written.push(Buffer.from(bytes)) > 0,
    cork() {},
    uncork() {},
    end() {},
    destroy() {},
  });
  return { socket, written, say: (...bytes: Buffer[]) => void socket.emit('data', Buffer.concat(bytes)) };
}

/** A client that has logged in. */
async function login() {
  const { socket, written, say } = fakeSocket();
  const client = new pg.Client({ stream: () => socket as unknown as Socket });
  client.on('error', () => {});
  const connected = client.connect();
  await new Promise((resolve) => setImmediate(resolve));
  say(message('R', Buffer.alloc(4)), message('K', keyData), ready);
  await connected;
  written.length = 0;
  return { client, inside: client as Untyped, connection: client.connection as Untyped, socket, written, say };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Sends a request of our own, and returns the handlers that the driver calls for the server's messages. */
async function handlersFor(...messages: readonly Buffer[]): Promise<readonly string[]> {
  const { client, say } = await login();
  const called: string[] = [];
  const note = (name: string) => () => void called.push(name);
  const handlers = [
    'submit',
    'callback',
    'handleRowDescription',
    'handleDataRow',
    'handleCommandComplete',
    'handleCopyInResponse',
    'handleError',
    'handleReadyForQuery',
  ];
  client.query(Object.fromEntries(handlers.map((name) => [name, note(name)])) as unknown as pg.Submittable);
  say(...messages);
  await settled();
  return called;
}

const columns = message('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from(`a\0${'\0'.repeat(18)}`)]));
const row = message('D', Buffer.from([0, 1, 0, 0, 0, 1, 0x31]));
const complete = message('C', 'SELECT 1\0');
const failure = message('E', 'SERROR\0C42601\0Mno\0\0');
const copyIn = message('G', Buffer.from([0, 0, 0]));

/** An extended query, whose methods the test replaces. */
async function extendedQuery(replace: (query: Untyped) => void, ...messages: readonly Buffer[]) {
  const { client, written, say } = await login();
  const query: Untyped = new pg.Query({ text: 'SELECT $1', values: ['1'] }, () => {});
  replace(query);
  client.query(query as pg.Query);
  say(...messages);
  await settled();
  return { query, sent: Buffer.concat(written).toString('latin1') };
}

function connectionOf(options: object = {}) {
  const { socket, written, say } = fakeSocket();
  const connection: Untyped = new pg.Connection({ stream: () => socket, ...options } as unknown as pg.ConnectionConfig);
  return { connection, socket, written, say };
}

testDriverPrivates(import.meta.dirname, 'pg', {
  'Client.readyForQuery': async () => {
    const { client, inside, say } = await login();
    expect(inside.readyForQuery).toBe(true);
    const asked = client.query('SELECT');
    expect(inside.readyForQuery).toBe(false);
    say(complete, ready);
    await asked;
    expect(inside.readyForQuery).toBe(true);
  },
  'Client.pipeline': async () => {
    const { client, inside, written } = await login();
    expect(inside.pipeline).toBe(false);
    inside.pipeline = true;
    for (const text of ['first', 'second']) client.query(text).catch(() => {});
    expect(Buffer.concat(written).toString()).toMatch(/first[\s\S]*second/);
  },
  'Client.processID': async () => expect((await login()).inside.processID).toBe(7),
  'Client.secretKey': async () => expect((await login()).inside.secretKey).toBe(9),
  'Connection.parsedStatements': async () => {
    const { client, connection, written, say } = await login();
    const asked = client.query({ name: 'named', text: 'SELECT' });
    say(message('1'), message('2'), message('n'), complete, ready);
    await asked;
    expect(connection.parsedStatements).toEqual({ named: 'SELECT' });
    connection.parsedStatements.other = 'SELECT 2';
    written.length = 0;
    client.query({ name: 'other', text: 'SELECT 2' }).catch(() => {});
    expect(written[0]?.toString('latin1', 0, 1)).toBe('B');
  },
  'Connection.attachListeners': () => {
    const { connection, socket } = connectionOf();
    const attach = vi.fn();
    connection.attachListeners = attach;
    connection.connect(5432, 'host');
    expect(attach).toHaveBeenCalledWith(socket);
    const events: string[] = [];
    Object.getPrototypeOf(connection).attachListeners.call(connection, { on: (event: string) => events.push(event) });
    expect(events).toContain('data');
  },
  'Connection.cancel': () => {
    const { connection, written } = connectionOf();
    connection.cancel(7, 9);
    expect(written[0]?.toString('hex')).toBe('0000001004d2162e0000000700000009');
  },
  'Connection.connect': () => {
    const { connection, socket } = connectionOf();
    connection.connect(5432, 'host');
    expect(socket.connect).toHaveBeenCalledWith(5432, 'host');
    const other = connectionOf();
    other.connection.connect('/run/.s.PGSQL.5432');
    expect(other.socket.connect.mock.calls[0]).toContain('/run/.s.PGSQL.5432');
  },
  'Connection.execute with rows': () => {
    const { connection, written } = connectionOf();
    connection.execute({ portal: '', rows: '3' }, true);
    expect(written[0]).toEqual(message('E', Buffer.from([0, 0, 0, 0, 3])));
  },
  'Connection.requestSsl': () => {
    const { connection, written } = connectionOf();
    connection.requestSsl();
    expect(written[0]?.toString('hex')).toBe('0000000804d2162f');
  },
  'Connection.sendCopyFail': () => {
    const { connection, written } = connectionOf();
    connection.sendCopyFail('no rows');
    expect(written[0]).toEqual(message('f', 'no rows\0'));
  },
  'event error of Connection': async () => {
    const { socket } = fakeSocket();
    const client = new pg.Client({ stream: () => socket as unknown as Socket });
    const connected = client.connect();
    client.connection.emit('error', new Error('refused'));
    await expect(connected).rejects.toThrow('refused');
  },
  'event errorMessage of Connection': async () => {
    const { connection, say } = await login();
    const hear = vi.fn();
    connection.on('errorMessage', hear);
    say(failure);
    expect(hear.mock.lastCall?.[0]).toMatchObject({ code: '42601' });
  },
  'event parameterStatus of Connection': async () => {
    const { connection, say } = await login();
    const hear = vi.fn();
    connection.on('parameterStatus', hear);
    say(message('S', 'name\0value\0'));
    expect(hear.mock.lastCall?.[0]).toMatchObject({ parameterName: 'name', parameterValue: 'value' });
  },
  'event sslconnect of Connection': async () => {
    const stream = Object.assign(new PassThrough(), { connect() {}, setNoDelay() {} });
    const { connection } = connectionOf({ ssl: true, stream: () => stream });
    connection.on('error', () => {});
    const secured = new Promise((resolve) => connection.on('sslconnect', resolve));
    connection.connect(5432, 'host');
    stream.emit('data', Buffer.from('S'));
    await secured;
    stream.destroy();
  },
  'Query._getRows': async () => {
    const rows = vi.fn();
    await extendedQuery((query) => {
      query._getRows = rows;
    });
    expect(rows.mock.lastCall?.[0]).toBeInstanceOf(pg.Connection);
  },
  'Query.portal': async () => expect((await extendedQuery(() => {})).query.portal).toBe(''),
  'Query.handlePortalSuspended': async () => {
    const suspended = vi.fn();
    await extendedQuery((query) => {
      query.handlePortalSuspended = suspended;
    }, message('s'));
    expect(suspended).toHaveBeenCalled();
  },
  'Query.handleCopyInResponse': async () => {
    const { sent } = await extendedQuery(() => {}, copyIn);
    expect(sent).toContain('No source stream defined');
  },
  'Query.requiresPreparation': () => {
    const isExtended = (config: pg.QueryConfig) => (new pg.Query(config) as Untyped).requiresPreparation();
    expect([isExtended({ text: 'SELECT $1', values: ['1'] }), isExtended({ text: 'SELECT' })]).toEqual([true, false]);
  },
  'Submittable.submit': async () => expect(await handlersFor()).toEqual(['submit']),
  'Submittable.callback': async () => expect(await handlersFor(complete, ready)).not.toContain('callback'),
  'Submittable.handleRowDescription': async () => expect(await handlersFor(columns)).toContain('handleRowDescription'),
  'Submittable.handleDataRow': async () => expect(await handlersFor(row)).toContain('handleDataRow'),
  'Submittable.handleCommandComplete': async () =>
    expect(await handlersFor(complete)).toContain('handleCommandComplete'),
  'Submittable.handleCopyInResponse': async () => expect(await handlersFor(copyIn)).toContain('handleCopyInResponse'),
  'Submittable.handleError': async () => expect(await handlersFor(failure)).toContain('handleError'),
  'Submittable.handleReadyForQuery': async () =>
    expect(await handlersFor(complete, ready)).toContain('handleReadyForQuery'),
});
