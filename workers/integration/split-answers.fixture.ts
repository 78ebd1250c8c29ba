import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to a server on this machine through a program that splits or delays answers. */
export interface AnswerProxy extends AsyncDisposable {
  readonly port: number;
}

/**
 * Answers above this number of bytes are written in two halves, with Nagle's algorithm on: the second half waits for
 * the acknowledgement of the first (RFC 896), which the client's system delays (RFC 1122, 4.2.3.2).
 */
export const splitAnswers = (toPort: number, beyondBytes: number): Promise<AnswerProxy> =>
  passOn(toPort, { noDelay: beyondBytes === Infinity }, (client, bytes) => {
    const middle = bytes.length > beyondBytes ? bytes.length / 2 : bytes.length;
    client.write(bytes.subarray(0, middle));
    if (middle < bytes.length) client.write(bytes.subarray(middle));
  });

/** Every answer is delayed by this time, ms, as if the server needed it for any request. */
export const delayAnswers = (toPort: number, ms: number): Promise<AnswerProxy> =>
  passOn(toPort, { noDelay: true }, (client, bytes) => void setTimeout(() => client.write(bytes), ms));

async function passOn(
  toPort: number,
  options: { readonly noDelay: boolean },
  answer: (client: Socket, bytes: Buffer) => void,
): Promise<AnswerProxy> {
  const sockets = new Set<Socket>();
  const listener = createServer(options, (client) => {
    const server = connect({ port: toPort, host: '127.0.0.1', noDelay: true });
    client.on('data', (bytes) => server.write(bytes));
    server.on('data', (bytes) => answer(client, bytes));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroySoon();
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
