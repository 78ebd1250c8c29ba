import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import oracledb from 'oracledb';
import { expect, onTestFinished, vi } from 'vitest';
import { listening } from '#platform/listening.fixture.ts';
import { testDriverPrivates, type Untyped } from '../shared/driver-privates.fixture.ts';

const load = createRequire(import.meta.url);
const ThinConnectionImpl: { readonly prototype: Untyped } = load('oracledb/lib/thin/connection.js');
const { BaseBuffer }: { readonly BaseBuffer: new (bytes: Buffer) => Untyped } = load(
  'oracledb/lib/impl/datahandlers/buffer.js',
);

/** The driver's inside of a connection to a server that takes the connection and says nothing. */
async function connecting(): Promise<Untyped> {
  const greeted = Promise.withResolvers<void>();
  const server = await listening(() => greeted.resolve());
  const spy = vi.spyOn(ThinConnectionImpl.prototype, 'connect');
  const connection = oracledb.getConnection({
    connectString: `127.0.0.1:${server.port}/none`,
    user: 'u',
    password: 'p',
  });
  connection.catch(() => {});
  await greeted.promise;
  const [inside] = spy.mock.contexts as readonly Untyped[];
  spy.mockRestore();
  onTestFinished(() => server[Symbol.asyncDispose]());
  await vi.waitFor(() => expect(inside?.nscon?.ntAdapter?.connected).toBe(true));
  return inside!;
}

testDriverPrivates(import.meta.dirname, 'oracledb', {
  'Connection._impl': () => {
    const connection: Untyped = new (oracledb as Untyped).Connection();
    connection._impl = { getOracleServerVersion: () => 2_600_000_000 };
    expect(connection.oracleServerVersion).toBe(2_600_000_000);
  },
  'ThinConnectionImpl.nscon': async () => expect((await connecting()).nscon).toBeDefined(),
  'NetworkSession.ntAdapter': async () => expect((await connecting()).nscon.ntAdapter).toBeDefined(),
  'NTTCP.stream': async () => expect((await connecting()).nscon.ntAdapter.stream).toBeInstanceOf(Socket),
  'BaseBuffer.parseOracleDate': () => {
    // 2024-02-29 12:34:56.789, each field as the server sends it.
    const bytes = Buffer.from([120, 124, 2, 29, 13, 35, 57, 0, 0, 0, 0]);
    bytes.writeUInt32BE(789_000_000, 7);
    const date = Object.create(BaseBuffer.prototype).parseOracleDate(bytes, false);
    expect(date.toISOString()).toBe('2024-02-29T12:34:56.789Z');
  },
});
