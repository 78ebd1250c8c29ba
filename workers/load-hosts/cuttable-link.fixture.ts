import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port of 127.0.0.1 that leads to another one, as a network does that can fail. */
interface CuttableLink extends Disposable {
  readonly port: number;
  /** Nothing goes through any more, and nobody is told: as where a cable was pulled. */
  cut(): void;
  /** Connections that were cut break, and new ones go through. */
  mend(): void;
}

/** Opens it to `port`. */
export async function cuttableLink(port: number): Promise<CuttableLink> {
  const open = new Set<Socket>();
  let isCut = false;
  const follow = (socket: Socket, other: () => Socket | null) => {
    open.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        open.delete(socket);
        other()?.destroy();
      });
  };
  const server = createServer((near) => {
    const far = isCut ? null : connect(port, '127.0.0.1');
    follow(near, () => far);
    if (far === null) {
      near.pause();
      return;
    }
    follow(far, () => near);
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of open) socket.unpipe().pause();
    },
    mend() {
      isCut = false;
      breakAll();
    },
    [Symbol.dispose]() {
      server.close();
      breakAll();
    },
  };
}
