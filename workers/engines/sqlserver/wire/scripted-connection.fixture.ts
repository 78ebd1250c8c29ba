import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { Connection } from 'tedious';
import { noteLosses } from './losses.ts';
import { loginAnswerTo } from './tds-server.fixture.ts';

/**
 * A connection of tedious' whose server is the test: `written` has what was sent since the login, `say` gives the
 * connection bytes in one piece.
 */
export async function scriptedConnection(packetBytes = 4_096) {
  const written: Buffer[] = [];
  let isOpen = false;
  const socket = Object.assign(
    new Duplex({
      read() {},
      write(bytes: Buffer, _encoding, done) {
        if (isOpen) written.push(Buffer.from(bytes));
        else process.nextTick(() => say(loginAnswerTo(bytes)));
        done();
      },
    }),
    { setKeepAlive() {}, setNoDelay() {}, bytesWritten: 0, bytesRead: 0 },
  );
  const say = (bytes: Buffer) => void socket.emit('data', Buffer.from(bytes));
  const connection = new Connection({
    server: 'scripted',
    authentication: { type: 'default', options: { userName: 'u', password: 'p' } },
    options: {
      port: 1,
      encrypt: false,
      requestTimeout: 0,
      packetSize: packetBytes,
      connector: async () => socket as unknown as Socket,
    },
  });
  noteLosses(connection);
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  isOpen = true;
  return {
    connection,
    socket,
    written,
    say,
    /** Waits until the driver's streams have written; returns what was written since. */
    async sent(): Promise<Buffer> {
      for (let i = 0; i < 5; i++) await turn();
      return Buffer.concat(written.splice(0));
    },
  };
}
