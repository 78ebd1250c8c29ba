import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listening } from '#platform/listening.fixture.ts';
import { findEngine } from './catalog.ts';
import { loadEngine } from './load.ts';
import { type MysqlConfig, config as mysqlConfig } from './mysql/config.ts';
import { connect as connectMysql } from './mysql/connection/connect.ts';

/** Servers that answer with what no driver can read, and say nothing more. */

/** A message of PostgreSQL's: its type, its length and its body. */
const message = (type: string, body: readonly number[]) =>
  Buffer.concat([Buffer.from(type), Buffer.from([0, 0, 0, body.length + 4]), Buffer.from(body)]);
const authenticated = Buffer.concat([message('R', [0, 0, 0, 0]), message('Z', [0x49])]);

/** A packet of MySQL's with its length and number. */
const packet = (number: number, body: Buffer) => Buffer.concat([Buffer.from([body.length, 0, 0, number]), body]);
const greeting = Buffer.concat([
  Buffer.from('\x0a10.11.6-MariaDB\0\x01\0\0\0abcdefgh\0', 'latin1'),
  Buffer.from([0xff, 0xf7, 0x21, 2, 0, 0xff, 0x81, 0x15]),
  Buffer.alloc(10),
  Buffer.from('ijklmnopqrst\0mysql_native_password\0', 'latin1'),
]);
const ok = Buffer.from([0, 0, 0, 2, 0, 0, 0]);

/** One answer to the first message, or a greeting; `said`: words of the error's message or hint. */
interface Answer {
  readonly bytes: Buffer;
  readonly said: RegExp;
}
const unreadable = /cannot read what answers there|port of another service/;
const tooLate = /in time|not complete within|timed out/i;

const answers: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  postgres: {
    zeros: { bytes: Buffer.alloc(4_096), said: unreadable },
    'an unknown type': { bytes: message('?', [1, 2, 3]), said: unreadable },
    'an unknown way to log in': { bytes: message('R', [0, 0, 0, 99]), said: unreadable },
    'a login that ends early': { bytes: message('R', [0]), said: unreadable },
    'columns that are not there': { bytes: Buffer.concat([authenticated, message('T', [127, 255])]), said: unreadable },
    'a negative number of values': {
      bytes: Buffer.concat([authenticated, message('D', [255, 255])]),
      said: unreadable,
    },
    'rows that nobody asked for': { bytes: Buffer.concat([authenticated, message('D', [0, 0])]), said: unreadable },
    garbage: { bytes: Buffer.alloc(4_096, 0xa5), said: tooLate },
  },
  mysql: {
    zeros: { bytes: Buffer.alloc(4_096), said: unreadable },
    'an empty greeting': { bytes: packet(0, Buffer.alloc(0)), said: unreadable },
    'a greeting that ends early': { bytes: packet(0, Buffer.from([10, 0x31])), said: unreadable },
    'an answer that is none': {
      bytes: Buffer.concat([packet(0, greeting), packet(2, Buffer.from([0x42]))]),
      said: unreadable,
    },
    'an answer too many': {
      bytes: Buffer.concat([packet(0, greeting), packet(2, ok), packet(1, Buffer.from([9]))]),
      said: unreadable,
    },
    garbage: { bytes: Buffer.alloc(4_096, 0xa5), said: tooLate },
  },
  sqlserver: {
    zeros: { bytes: Buffer.alloc(4_096), said: unreadable },
    garbage: { bytes: Buffer.alloc(4_096, 0xa5), said: tooLate },
  },
  oracle: {
    zeros: { bytes: Buffer.alloc(4_096), said: /is a listener of Oracle on this port/ },
    garbage: { bytes: Buffer.alloc(4_096, 0xa5), said: tooLate },
  },
  mongodb: {
    'a negative length': { bytes: Buffer.alloc(4_096, 0xa5), said: unreadable },
    'a reply without a document': {
      bytes: Buffer.concat([
        Buffer.from([26, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0xdd, 7, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0]),
      ]),
      said: unreadable,
    },
  },
  ravendb: {
    zeros: { bytes: Buffer.alloc(4_096), said: /speaks no HTTP/ },
    garbage: { bytes: Buffer.alloc(4_096, 0xa5), said: /speaks no HTTP/ },
  },
  drda: {
    zeros: { bytes: Buffer.alloc(4_096), said: /a DRDA server listens there/ },
    garbage: { bytes: Buffer.alloc(4_096, 0xa5), said: /a DRDA server listens there/ },
  },
};

const targets: Readonly<Record<string, (port: number) => Readonly<Record<string, unknown>>>> = {
  postgres: (port) => ({ host: '127.0.0.1', port, user: 'x', password: 'x', database: 'x', ssl: 'disable' }),
  mysql: (port) => ({ host: '127.0.0.1', port, user: 'x', password: 'x', database: 'x' }),
  sqlserver: (port) => ({ host: '127.0.0.1', port, user: 'sa', password: 'x' }),
  oracle: (port) => ({ connectString: `127.0.0.1:${port}/FREEPDB1`, user: 'x', password: 'x' }),
  mongodb: (port) => ({ url: `mongodb://127.0.0.1:${port}/?directConnection=true` }),
  ravendb: (port) => ({ url: `http://127.0.0.1:${port}`, database: 'x' }),
  drda: (port) => ({ host: '127.0.0.1', port, database: 'x', user: 'x', password: 'x' }),
};

describe.each(Object.entries(answers))('%s', (engineId, own) => {
  it.each(Object.entries(own))('%s', async (_, { bytes, said }) => {
    const engine = await loadEngine(engineId);
    await using server = await listening((socket: Socket) => {
      if (engineId === 'mysql') socket.write(bytes);
      else socket.once('data', () => socket.write(bytes));
    });
    const config = findEngine(engineId)!.config.parse({ ...targets[engineId]!(server.port), connectTimeoutMs: 1_000 });
    const error = await engine.open(config, 'dyno-test', new AbortController().signal).then(
      () => expect.unreachable('no server is there'),
      (thrown: unknown) => engine.toError(thrown),
    );
    expect(error.kind, error.message).toMatch(/^(other|unreachable)$/);
    expect(`${error.message}\n${error.hint}`).toMatch(said);
  });
});

it('the mariadb connector is another driver, and its words have the same meaning', async () => {
  const { bytes } = answers.mysql!['an answer that is none']!;
  await using server = await listening((socket: Socket) => void socket.write(bytes));
  const config = mysqlConfig.parse({ ...targets.mysql!(server.port), connectTimeoutMs: 1_000 }) as MysqlConfig;
  await expect(connectMysql('mariadb', { config, tag: 'dyno-test', flavour: 'usual' })).rejects.toMatchObject({
    data: { kind: 'other', message: expect.stringMatching(unreadable) },
  });
});
