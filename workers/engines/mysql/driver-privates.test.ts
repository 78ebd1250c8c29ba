import { once } from 'node:events';
import { type AddressInfo, Socket } from 'node:net';
import { createConnection, type Connection as MariadbDriver } from 'mariadb';
import mysql from 'mysql2';
import { expect, onTestFinished, vi } from 'vitest';
import { testDriverPrivates, type Untyped } from '../shared/driver-privates.fixture.ts';
import { queryPacket } from './wire/packets.ts';

const statementId = 5;
/** COM_STMT_PREPARE_OK of a statement without parameters and columns. */
const prepared = Buffer.from([0, statementId, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const jsonType = 245;
const names = { catalog: 'def', schema: '', table: '', orgTable: '', orgName: 'a', name: 'a', columnLength: 9 };
const column = { ...names, characterSet: 45, columnType: jsonType, flags: 0, decimals: 0 };

/** A server of mysql2's, which answers SELECT with a row of JSON, ERROR with an error, and all else as done. */
async function serverPort(): Promise<number> {
  const server: Untyped = (mysql as Untyped).createServer();
  server.on('connection', (peer: Untyped) => {
    peer.on('error', () => {});
    peer.serverHandshake({
      ...{ protocolVersion: 10, serverVersion: '8.0.1', connectionId: 1, statusFlags: 2, characterSet: 45 },
      ...{ capabilityFlags: 0x00_8f_a2_09 },
      authCallback(_: unknown, accept: (refusal: null) => void) {
        accept(null);
        peer._resetSequenceId();
      },
    });
    const rows = (isBinary: boolean) => peer.writeTextResult([{ a: '{"b":1}' }], [column], isBinary);
    /** The packets of each call are numbered from 0. */
    const on = (call: string, answer: (text: string) => void) =>
      peer.on(call, (text: string) => {
        answer(text);
        peer._resetSequenceId();
      });
    on('query', (sql) => {
      if (sql.startsWith('SELECT')) rows(false);
      else if (sql.startsWith('ERROR')) peer.writeError({ code: 1_062, message: 'twice' });
      else if (sql.startsWith('HANG UP')) peer.stream.destroy();
      else peer.writeOk({ affectedRows: 0, serverStatus: 3 });
    });
    on('stmt_prepare', () => {
      peer.stream.write(Buffer.concat([Buffer.from([prepared.length, 0, 0, 1]), prepared]));
    });
    on('stmt_execute', () => rows(true));
  });
  server.listen(0, '127.0.0.1');
  await once(server._server, 'listening');
  onTestFinished(() => void server._server.close());
  return (server._server.address() as AddressInfo).port;
}

async function connected(): Promise<Untyped> {
  const driver: Untyped = mysql.createConnection({ host: '127.0.0.1', port: await serverPort(), user: 'u' });
  driver.on('error', () => {});
  onTestFinished(() => driver.destroy());
  await once(driver as mysql.Connection, 'connect');
  return driver;
}

/** Has a command of our own take the answer to a text that is written past the driver. */
async function ownCommand(text: string): Promise<{ readonly driver: Untyped; readonly calls: Untyped[] }> {
  const driver = await connected();
  const calls: Untyped[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  driver.addCommand({
    execute(packet: unknown, connection: unknown) {
      calls.push({ packet, connection });
      if (packet) resolve();
      return packet !== undefined;
    },
    onResult(error: Error) {
      calls.push({ error });
      resolve();
    },
  });
  driver._resetSequenceId();
  driver._bumpSequenceId(1);
  driver.stream.write(queryPacket(text, false));
  await promise;
  return { driver, calls };
}

testDriverPrivates(import.meta.dirname, 'mysql2', {
  'Connection.stream': async () => expect((await connected()).stream).toBeInstanceOf(Socket),
  'Connection.clientEncoding': async () => expect((await connected()).clientEncoding).toBe('utf8'),
  'Connection.addCommand': async () => expect((await ownCommand('ERROR')).calls[0]?.packet).toBeUndefined(),
  'Connection._resetSequenceId': async () => {
    const driver = await connected();
    driver.sequenceId = 9;
    driver._resetSequenceId();
    expect(driver.sequenceId).toBe(0);
  },
  'Connection._bumpSequenceId': async () => {
    const driver = await connected();
    driver.sequenceId = 9;
    driver._bumpSequenceId(3);
    expect(driver.sequenceId).toBe(12);
  },
  'Connection._handshakePacket': async () => {
    expect((await connected())._handshakePacket).toMatchObject({ serverVersion: '8.0.1' });
  },
  'Connection.serverCapabilityFlags': async () => {
    // CLIENT_PROTOCOL_41, which every server has.
    expect((await connected()).serverCapabilityFlags & 0x200).toBe(0x200);
  },
  'Connection.config.clientFlags': async () => expect((await connected()).config.clientFlags & 0x200).toBe(0x200),
  'Connection.config.jsonStrings': async () => {
    const driver = await connected();
    const select = () =>
      new Promise((resolve) => driver.query('SELECT', (_: unknown, rows: readonly Untyped[]) => resolve(rows[0]?.a)));
    expect(await select()).toEqual({ b: 1 });
    driver.config.jsonStrings = true;
    expect(await select()).toBe('{"b":1}');
  },
  'Command.execute': async () => {
    const { driver, calls } = await ownCommand('ERROR');
    expect(calls.map(({ connection }) => connection)).toEqual([driver, driver]);
  },
  'Command.onResult': async () => {
    const { calls } = await ownCommand('HANG UP');
    expect(calls.at(-1)?.error).toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' });
  },
  'Packet.asError': async () => {
    const { driver, calls } = await ownCommand('ERROR');
    expect(calls[1]?.packet.asError(driver.clientEncoding)).toMatchObject({ errno: 1_062, sqlMessage: 'twice' });
  },
  'PrepareStatementInfo.id': async () => {
    const driver = await connected();
    const statement = new Promise((resolve) => driver.prepare('SELECT', (_: unknown, one: unknown) => resolve(one)));
    expect(await statement).toMatchObject({ id: statementId });
  },
});

async function connectedMariadb(): Promise<Untyped & MariadbDriver> {
  const driver = await createConnection({ host: '127.0.0.1', port: await serverPort(), user: 'u' });
  driver.on('error', () => {});
  onTestFinished(() => driver.destroy());
  return driver;
}

testDriverPrivates(import.meta.dirname, 'mariadb', {
  'Connection.__tests': async () => {
    expect((await connectedMariadb()).__tests.getSocket()).toBeInstanceOf(Socket);
  },
  'Connection.info.status': async () => {
    const driver = await connectedMariadb();
    await driver.query('BEGIN');
    expect((driver as Untyped).info.status).toBe(3);
  },
  'Prepare.execute with options': async () => {
    const statement: Untyped = await (await connectedMariadb()).prepare('SELECT');
    expect([...(await statement.execute([], { rowsAsArray: true }))]).toEqual([[expect.anything()]]);
  },
  'Prepare.executeStream with options': async () => {
    const statement: Untyped = await (await connectedMariadb()).prepare('SELECT');
    const row = vi.fn();
    await once(statement.executeStream([], { rowsAsArray: true }).on('data', row), 'end');
    expect(row).toHaveBeenCalledWith([expect.anything()]);
  },
});
