import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { listening } from '#platform/listening.fixture.ts';
import { findEngine } from './catalog.ts';
import { loadEngine } from './load.ts';

/** Servers that send without end, or nothing more, before a login is complete. */

const mebibyte = 1024 * 1024;
const mostBytes = 64 * mebibyte;
/** A client that goes on reading is not fed for ever. */
const fedBytes = 4 * mostBytes;

const postgresMessage = (type: string, body: readonly number[]) =>
  Buffer.concat([Buffer.from(type), Buffer.from([0, 0, 0, body.length + 4]), Buffer.from(body)]);
const authenticated = Buffer.concat([postgresMessage('R', [0, 0, 0, 0]), postgresMessage('Z', [0x49])]);
const column = Buffer.concat([Buffer.from([0, 1, 0x61, 0]), Buffer.alloc(18)]);
const row = postgresMessage('D', [0, 1, 0, 0, 0, 1, 0x78]);

/** A packet of 32,760 bytes of TDS, to be continued; a segment of DRDA, to be continued. */
const tdsPacket = Buffer.alloc(32_760);
tdsPacket.set([4, 0, 0x7f, 0xf8, 0, 0, 1, 0]);
const drdaSegment = Buffer.alloc(0x7fff);
drdaSegment.set([0xff, 0xff]);

interface Flood {
  readonly engine: string;
  /** The bytes before the endless part, in answer to the client's first message or at once. */
  readonly first: Buffer;
  readonly atOnce?: true;
  /** The answer to a second message of the client. */
  readonly second?: Buffer;
  /** The bytes that are repeated. */
  readonly endless: Buffer;
}

const floods: Readonly<Record<string, Flood>> = {
  'PostgreSQL, one message': {
    engine: 'postgres',
    first: Buffer.from([0x52, 0x7f, 0xff, 0xff, 0xff]),
    endless: Buffer.alloc(mebibyte),
  },
  'PostgreSQL, rows': {
    engine: 'postgres',
    first: authenticated,
    second: Buffer.concat([Buffer.from([0x31, 0, 0, 0, 4, 0x32, 0, 0, 0, 4]), postgresMessage('T', [...column])]),
    endless: Buffer.concat(Array(20_000).fill(row)),
  },
  'MySQL, one packet': {
    engine: 'mysql',
    atOnce: true,
    first: Buffer.alloc(0),
    endless: Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0]), Buffer.alloc(0xff_ff_ff)]),
  },
  'SQL Server, one message': { engine: 'sqlserver', first: Buffer.alloc(0), endless: tdsPacket },
  'Oracle, packets': {
    engine: 'oracle',
    first: Buffer.alloc(0),
    endless: Buffer.concat([Buffer.from([0, 0, 0xff, 0xff, 6, 0, 0, 0]), Buffer.alloc(0xff_ff - 8)]),
  },
  'MongoDB, one message': {
    engine: 'mongodb',
    first: Buffer.from([0xff, 0xff, 0xff, 0x7f, 1, 0, 0, 0, 1, 0, 0, 0, 0xdd, 7, 0, 0]),
    endless: Buffer.alloc(mebibyte),
  },
  'RavenDB, JSON': {
    engine: 'ravendb',
    first: Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"FullVersion":"'),
    endless: Buffer.alloc(mebibyte, 'x'),
  },
  'DRDA, one object': {
    engine: 'drda',
    first: Buffer.concat([Buffer.from([0xff, 0xff, 0xd0, 0x42, 0, 1]), Buffer.alloc(0x7fff - 6)]),
    endless: drdaSegment,
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

async function failureAt(engineId: string, port: number, connectTimeoutMs: number) {
  const engine = await loadEngine(engineId);
  const config = findEngine(engineId)!.config.parse({ ...targets[engineId]!(port), connectTimeoutMs });
  return engine.open(config, 'dyno-test', new AbortController().signal).then(
    () => expect.unreachable('no server is there'),
    (thrown: unknown) => engine.toError(thrown),
  );
}

it.each(Object.entries(floods))('a server that sends without end before the login is left: %s', async (_, flood) => {
  let sent = 0;
  await using server = await listening((socket: Socket) => {
    let fed = false;
    const feed = () => {
      fed = true;
      while (sent < fedBytes && !socket.destroyed) {
        sent += flood.endless.length;
        if (!socket.write(flood.endless)) return;
      }
    };
    const begin = () => {
      socket.write(flood.first);
      if (flood.second === undefined) feed();
      else
        socket.once('data', () => {
          socket.write(flood.second!);
          feed();
        });
      socket.on('drain', () => fed && feed());
    };
    if (flood.atOnce) begin();
    else socket.once('data', begin);
  });
  const error = await failureAt(flood.engine, server.port, 20_000);
  expect(error.kind).toMatch(/unreachable|other|limit/);
  expect(sent).toBeLessThan(mostBytes);
});

it('a server that says nothing more after the authentication is left at the time limit of connecting', async () => {
  await using server = await listening((socket) => socket.once('data', () => socket.write(authenticated)));
  expect(await failureAt('postgres', server.port, 500)).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('not complete within 500 ms'),
  });
});
