import { Socket } from 'node:net';
import { publishOpened } from './login-limit.ts';

/** Is handed the first `length` of `bytes`, which the next read overwrites once it has returned. */
type Reader = (bytes: Buffer, length: number) => void;

const readers = new WeakMap<Socket, { read: Reader }>();

/** Into which all of these sockets read: a read has ended when its reader has returned. */
const room = Buffer.allocUnsafeSlow(65_536);

/**
 * A socket for a driver, which a reader can take over without the price of a stream: Node makes a buffer and several
 * calls of every read, a microsecond of the five that a short call costs this process. Until then, and for what the
 * reader hands back, the driver is told by the event 'data' as ever.
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
 * A function that writes to a socket without the price of a stream, which is a turn of Node's queue of ticks: a
 * microsecond of those that a short call costs. Sockets that are none of {@link socketForReader}, and those that have
 * something to send already, are written to as ever: TLS takes one write at a time.
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

/** Drivers keep what they are told of. */
function tell(socket: Socket, bytes: Buffer, from: number, to: number): void {
  const kept = Buffer.allocUnsafe(to - from);
  bytes.copy(kept, 0, from, to);
  socket.emit('data', kept);
}

/**
 * Has a reader get what arrives on a driver's socket, in place of the driver. Returns the function that hands bytes to
 * the driver. Sockets that are none of {@link socketForReader} (those of TLS) are read by events.
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
