import { createServer, type Socket } from 'node:net';

interface Listening extends AsyncDisposable {
  readonly port: number;
}

/** A server that sends every client `greet`, on 127.0.0.1 unless told otherwise. */
export async function listening(greet: (socket: Socket) => void, host = '127.0.0.1'): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
