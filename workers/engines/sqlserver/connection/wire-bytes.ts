/*
 * Private members of tedious that this file uses; driver-privates.test.ts has a contract for each: Connection.socket.
 */
import type { Connection } from 'tedious';
import type { Session } from '#engine-api/session.ts';

/** The bytes that the socket has sent and received, TLS included. */
export function wireBytesOf({ socket }: Connection): ReturnType<Session['wireBytes']> {
  return socket ? { sent: socket.bytesWritten, received: socket.bytesRead } : null;
}
