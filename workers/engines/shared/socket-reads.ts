import { Socket } from 'node:net';
import { publishOpened } from './login-limit.ts';

/** Takes the first `length` of `bytes`, which the next read overwrites after it has returned. */
type Reader = (bytes: Buffer, length: number) => void;

const readers = new WeakMap<Socket, { read: Reader }>();

/** The buffer into which all of these sockets read: a read ends when its reader has returned. */
const room = Buffer.allocUnsafeSlow(65_536);

/**
 * A socket for a driver that a reader can take over without the cost of a stream: for every read Node makes a buffer
 * and several calls, a microsecond of the five that a short call costs this process. Until then, and for bytes that the
 * reader hands back, the driver gets the event 'data' as usual.
 */
export function socketForReader(): Socket {
  const state = { read: (bytes: Buffer, length: number) => tell(socket, bytes, 0, length) };
  const socket: Socket = new Socket({
    onread: {
      buffer: room,
      callback: (length, bytes) => {
        state.read(bytes as Buffer, length);
        return true;
      },
    },
  });
  readers.set(socket, state);
  publishOpened(socket);
  return socket;
}

/**
 * Returns a function that writes to a socket without the cost of a stream, which is a turn of Node's queue of ticks: a
 * microsecond of a short call. Sockets that are not made by {@link socketForReader}, or that still have bytes to send,
 * are written to as usual: TLS takes one write at a time.
 */
export function writerOf(socket: Socket): (bytes: Uint8Array) => void {
  const atOnce = readers.has(socket);
  const written = (error?: Error | null) => {
    if (error) socket.destroy(error);
  };
  return (bytes) => {
    if (!atOnce || socket.writableLength > 0) socket.write(bytes);
    else socket._write(bytes, 'buffer' as BufferEncoding, written);
  };
}

/** The bytes are copied, because drivers keep them. */
function tell(socket: Socket, bytes: Buffer, from: number, to: number): void {
  const kept = Buffer.allocUnsafe(to - from);
  bytes.copy(kept, 0, from, to);
  socket.emit('data', kept);
}

/**
 * Gives the bytes that arrive on a driver's socket to a reader in place of the driver. Returns the function that hands
 * bytes to the driver. Sockets that are not made by {@link socketForReader} (those of TLS) are read by events.
 */
export function takeReads(socket: Socket, read: Reader): (bytes: Buffer, from: number, to: number) => void {
  const own = readers.get(socket);
  if (own) {
    own.read = read;
    return (bytes, from, to) => tell(socket, bytes, from, to);
  }
  const drivers = socket.listeners('data');
  socket.removeAllListeners('data');
  socket.on('data', (bytes: Buffer) => read(bytes, bytes.length));
  return (bytes, from, to) => {
    for (const driver of drivers) Reflect.apply(driver, socket, [bytes.subarray(from, to)]);
  };
}
