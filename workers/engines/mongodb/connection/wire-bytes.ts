/*
 * Private members of mongodb that this file uses; driver-privates.test.ts has a contract for each:
 * MongoClient.topology, Topology.s.servers, Server.pool, ConnectionPool.connections, ConnectionPool.checkedOut,
 * Connection.socket.
 */
import type { Socket } from 'node:net';
import type { MongoClient } from 'mongodb';

interface Inside {
  readonly topology?: {
    readonly s: { readonly servers: ReadonlyMap<string, { readonly pool: Pool }> };
  };
}
interface Pool {
  readonly connections: Iterable<Link>;
  readonly checkedOut: Iterable<Link>;
}
interface Link {
  readonly socket: Socket;
}

/** The sockets of a client's connections, without those by which the driver watches servers. */
export function socketsOf(client: MongoClient): readonly Socket[] {
  const { topology } = client as unknown as Inside;
  return [...(topology?.s.servers.values() ?? [])].flatMap(({ pool }) =>
    [...pool.connections, ...pool.checkedOut].map(({ socket }) => socket),
  );
}

export const wireBytes = (sockets: readonly Socket[]): { readonly sent: number; readonly received: number } => ({
  sent: sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
  received: sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
});
