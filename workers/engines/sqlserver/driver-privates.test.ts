import { createRequire } from 'node:module';
import { connect, Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { Connection, Request } from 'tedious';
import { expect, onTestFinished, vi } from 'vitest';
import { testDriverPrivates, type Untyped } from '../shared/driver-privates.fixture.ts';
import { scriptedConnection } from './wire/scripted-connection.fixture.ts';
import { batchText, done, packet, resultTokens, tdsServer } from './wire/tds-server.fixture.ts';

const require = createRequire(import.meta.url);
const valueParser: Untyped = require('tedious/lib/value-parser');
const MessageIO = require('tedious/lib/message-io') as new (...given: readonly unknown[]) => Untyped;

/** A connection to a server that answers SELECT with a row; `before` gets it before it is open. */
async function connected(before: (connection: Untyped) => void = () => {}, options: object = {}): Promise<Untyped> {
  const server = await tdsServer((body) => ({
    tokens: batchText(body) === 'SELECT' ? resultTokens(['a'], [['1']]) : done(null),
  }));
  const connection = new Connection({
    server: '127.0.0.1',
    authentication: { type: 'default', options: { userName: 'u', password: 'p' } },
    options: { port: server.port, encrypt: false, ...options },
  });
  onTestFinished(async () => {
    connection.close();
    await server[Symbol.asyncDispose]();
  });
  before(connection as Untyped);
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  return connection as Untyped;
}

/** Sends a batch whose body is made by Dyno, and returns the number of its rows. */
const makeRequest = (connection: Untyped): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = Buffer.from('160000001200000002000000000000000000010000000000'.slice(0, 44), 'hex');
    const body = [headers, Buffer.from('SELECT', 'utf16le')];
    const request = new Request(undefined, (error, rows) => (error ? reject(error) : resolve(Number(rows))));
    connection.makeRequest(request, 0x01, Object.assign(body, { toString: () => 'body' }));
  });

async function answersRequest(): Promise<void> {
  const { connection, say } = await scriptedConnection();
  const answered = new Promise((resolve) => {
    const request = new Request(undefined, (error, rows) => resolve([error, rows]));
    expect(connection.state).toBe(connection.STATE.LOGGED_IN);
    connection.request = Object.assign(request, { rowCount: 0, rows: [], rst: [] });
    connection.transitionTo(connection.STATE.SENT_CLIENT_REQUEST);
  });
  say(packet(done(3)));
  expect(await answered).toEqual([undefined, 3]);
  expect(connection.state).toBe(connection.STATE.LOGGED_IN);
  expect(connection.request).toBeUndefined();
}

testDriverPrivates(import.meta.dirname, 'tedious', {
  'Connection._cancelAfterRequestSent': async () => {
    const { connection, sent } = await scriptedConnection();
    connection._cancelAfterRequestSent();
    expect(await sent()).toEqual(Buffer.from([6, 1, 0, 8, 0, 0, 1, 0]));
    connection.close();
  },
  'Connection.config.options': async () => {
    const parse = vi.spyOn(valueParser, 'readValue');
    const connection = await connected();
    await makeRequest(connection);
    expect(parse.mock.lastCall?.[3]).toBe(connection.config.options);
    parse.mockRestore();
  },
  'Connection.createTokenStreamParser': async () => {
    const create = vi.fn();
    await connected((connection) => {
      const own = connection.createTokenStreamParser;
      connection.createTokenStreamParser = function (...given: unknown[]) {
        create();
        return own.apply(this, given);
      };
    });
    expect(create).toHaveBeenCalled();
  },
  'Connection.currentTransactionDescriptor': async () => {
    expect((await connected()).currentTransactionDescriptor()).toEqual(Buffer.alloc(8));
  },
  'Connection.inTransaction': async () => expect((await connected()).inTransaction).toBe(false),
  'Connection.loginError': async () => {
    const own = new Error('refused by Dyno');
    const opened = connected((connection) => {
      const create = connection.createTokenStreamParser;
      connection.createTokenStreamParser = function (...given: unknown[]) {
        const [, handler] = given as [unknown, Untyped];
        handler.onLoginAck = () => {
          connection.loginError = own;
        };
        return create.apply(this, given);
      };
    });
    await expect(opened).rejects.toBe(own);
  },
  'Connection.makeRequest': async () => expect(await makeRequest(await connected())).toBe(1),
  'Connection.messageIo': async () => {
    const { connection, socket } = await scriptedConnection();
    expect(connection.messageIo.socket).toBe(socket);
  },
  // A request that is put here, in this state, is answered by the next message.
  'Connection.request': () => answersRequest(),
  'Connection.state': () => answersRequest(),
  'Connection.transitionTo': () => answersRequest(),
  'Connection.socket': async () => expect((await connected()).socket).toBeInstanceOf(Socket),
  'Connection.transactionDescriptors': async () => {
    const { connection } = await scriptedConnection();
    const own = Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]);
    connection.transactionDescriptors.push(own);
    expect(connection.currentTransactionDescriptor()).toBe(own);
    connection.transactionDescriptors.length = 1;
    expect(connection.currentTransactionDescriptor()).toEqual(Buffer.alloc(8));
  },
  'MessageIO.outgoingMessageStream': async () => {
    const { connection } = await scriptedConnection(700);
    expect(connection.messageIo.outgoingMessageStream.packetSize).toBe(700);
  },
  'MessageIO.securePair': async () => {
    const io = new MessageIO(new PassThrough(), 512, new Connection({ server: 'nowhere.invalid' }).debug);
    expect(io.securePair).toBeUndefined();
    io.startTls({}, 'x', true).catch(() => {});
    expect(io.securePair.cleartext).toBeInstanceOf(TLSSocket);
  },
  'TokenHandler.onFedAuthInfo': async () => {
    let handler: Untyped = {};
    await connected((connection) => {
      const create = connection.createTokenStreamParser;
      connection.createTokenStreamParser = function (...given: unknown[]) {
        handler = given[1] as Untyped;
        return create.apply(this, given);
      };
    });
    expect(handler.onFedAuthInfo).toBeInstanceOf(Function);
  },
  'option connector with an address': async () => {
    let given: unknown;
    await connected((connection) => {
      const { port } = connection.config.options;
      connection.config.options.connector = async (to: unknown) => {
        given = to;
        const socket = connect(port, '127.0.0.1');
        return new Promise((resolve) => socket.once('connect', () => resolve(socket)));
      };
    });
    expect(given).toMatchObject({ host: '127.0.0.1' });
  },
  'value-parser.readValue': async () => {
    const connection = await connected();
    const parse = vi.spyOn(valueParser, 'readValue');
    await makeRequest(connection);
    const [buffer, offset, metadata] = parse.mock.lastCall as [unknown, unknown, Untyped];
    expect([Buffer.isBuffer(buffer), typeof offset, metadata.type.name]).toEqual([true, 'number', 'NVarChar']);
    expect(parse.mock.results[0]?.value).toMatchObject({ value: '1', offset: expect.any(Number) });
    parse.mockRestore();
  },
});
