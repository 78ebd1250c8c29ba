import { createServer } from 'node:net';
import { DynoError } from '#model/error.ts';

/** A TCP port of 127.0.0.1 on which nobody listens at the moment. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

const attempts = 3;

/** Starts something on a free port; on another one if a retryable error says that the port has been taken since. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort());
    } catch (thrown) {
      if (attempt === attempts || !(thrown instanceof DynoError) || !thrown.data.retryable) throw thrown;
    }
  }
}
