import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { DynoError } from '#model/error.ts';
import { formatBytes, formatCount } from '#model/format/format.ts';

/** The bytes that the other side may send until the session is set up; a login takes some thousands. */
const mostLoginBytes = 2 * 1024 * 1024;

/** The ms between two checks, in which the fastest sender on the same machine sends a few megabytes. */
const lookEveryMs = 5;

/** Drivers with a time limit of their own may end first, because they know what they were waiting for. */
const graceMs = 2_000;

/** Node reports the sockets of net.connect() here. */
const opened = 'net.client.socket';

/** Reports a socket to login limits that net.connect() did not open. */
export const publishOpened = (socket: Socket): void => channel(opened).publish({ socket });

/** The sockets of the current attempt; null once it is over. */
const attempts = new AsyncLocalStorage<{ sockets: Set<Socket> | null }>();
subscribe(opened, (message) => {
  attempts.getStore()?.sockets?.add((message as { readonly socket: Socket }).socket);
});

/**
 * Limits the bytes and the time of an attempt to connect, because the other side may send without end or say nothing.
 * On a limit it rejects, and destroys the sockets that the attempt has opened; drivers do not give them away before
 * they are logged in. It cannot see the bytes of TLS that a driver opens itself, only the time. `timeoutMs`: 0 means no
 * limit. `grace`: the ms in which a driver may notice the time by itself.
 */
export async function limitLogin<T>(timeoutMs: number, attempt: () => Promise<T>, grace = graceMs): Promise<T> {
  const sockets = new Set<Socket>();
  const store = { sockets: sockets as Set<Socket> | null };
  const { promise: exceeded, reject } = Promise.withResolvers<never>();
  const end = (reason: DynoError) => {
    reject(reason);
    for (const socket of sockets) socket.destroy();
  };
  const look = setInterval(() => {
    for (const { bytesRead } of sockets) if (bytesRead > mostLoginBytes) end(tooMuch());
  }, lookEveryMs);
  const timer = timeoutMs > 0 ? setTimeout(() => end(tooLate(timeoutMs)), timeoutMs + grace) : undefined;
  try {
    return await Promise.race([exceeded, attempts.run(store, attempt)]);
  } finally {
    store.sockets = null;
    clearInterval(look);
    clearTimeout(timer);
  }
}

const tooMuch = (): DynoError =>
  new DynoError('unreachable', `More than ${formatBytes(mostLoginBytes)} came before the login was complete.`, {
    hint: 'What answers there is no server of this engine: check host and port.',
  });

const tooLate = (ms: number): DynoError =>
  new DynoError('unreachable', `The login was not complete within ${formatCount(ms)} ms.`, {
    code: 'ETIMEDOUT',
    hint: 'A firewall, a wrong port, a busy server, or connectTimeoutMs is too short.',
  });
