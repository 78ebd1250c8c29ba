import { createServer, type ListenOptions, type Socket } from 'node:net';

/** A server of a test's own. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
}

/** A server that takes connections, on 127.0.0.1 unless told otherwise, and says nothing unless `greet` does. */
export async function listening(
  greet: (socket: Socket) => unknown = () => {},
  at: ListenOptions = { host: '127.0.0.1', port: 0 },
): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(at, resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
