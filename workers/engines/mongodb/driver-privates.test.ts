import { Socket } from 'node:net';
import { BSON, MongoClient } from 'mongodb';
import { expect, onTestFinished } from 'vitest';
import { listening } from '#platform/listening.fixture.ts';
import { testDriverPrivates, type Untyped } from '../shared/driver-privates.fixture.ts';

const headBytes = 16;
const opMsg = 2_013;
const opReply = 1;

/** An answer to the request of this head: OP_MSG to OP_MSG, and OP_REPLY to the first hello, which is an OP_QUERY. */
function answerTo(head: Buffer): Buffer {
  const facts = {
    ok: 1,
    isWritablePrimary: true,
    maxWireVersion: 21,
    minWireVersion: 0,
    maxBsonObjectSize: 16_777_216,
  };
  const document = BSON.serialize({ ...facts, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 });
  const isMessage = head.readInt32LE(12) === opMsg;
  const before = isMessage ? Buffer.alloc(5) : Buffer.concat([Buffer.alloc(16), Buffer.from([1, 0, 0, 0])]);
  const answer = Buffer.concat([Buffer.alloc(headBytes), before, document]);
  for (const [i, value] of [answer.length, 1, head.readInt32LE(4), isMessage ? opMsg : opReply].entries())
    answer.writeInt32LE(value, 4 * i);
  return answer;
}

/** A client of a server that answers hello and ping, after a ping. */
async function connected(): Promise<Untyped> {
  const server = await listening((socket) => {
    let there = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      there = Buffer.concat([there, bytes]);
      while (there.length >= headBytes && there.length >= there.readInt32LE(0)) {
        socket.write(answerTo(there));
        there = there.subarray(there.readInt32LE(0));
      }
    });
  });
  const client = new MongoClient(`mongodb://127.0.0.1:${server.port}/?directConnection=true`, {
    serverMonitoringMode: 'poll',
  });
  onTestFinished(async () => {
    await client.close();
    await server[Symbol.asyncDispose]();
  });
  await client.db('admin').command({ ping: 1 });
  return client as Untyped;
}

const poolOf = async (): Promise<Untyped> => [...(await connected()).topology.s.servers.values()][0].pool;

testDriverPrivates(import.meta.dirname, 'mongodb', {
  'MongoClient.topology': async () => expect((await connected()).topology).toBeDefined(),
  'Topology.s.servers': async () => expect((await connected()).topology.s.servers).toBeInstanceOf(Map),
  'Server.pool': async () => expect(await poolOf()).toBeDefined(),
  'ConnectionPool.connections': async () => expect([...(await poolOf()).connections]).toHaveLength(1),
  'ConnectionPool.checkedOut': async () => {
    const pool = await poolOf();
    const [idle] = pool.connections;
    pool.checkedOut.add(idle);
    expect([...pool.checkedOut]).toEqual([idle]);
    pool.checkedOut.delete(idle);
  },
  'Connection.socket': async () => {
    const [idle] = (await poolOf()).connections;
    expect(idle.socket).toBeInstanceOf(Socket);
  },
});
