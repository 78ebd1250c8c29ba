import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import type { Endpoint } from '#engine-api/config.ts';
import { toErrorData } from '#model/error.ts';
import type { FromSocksTunnel, ToSocksTunnel } from './socks-messages.ts';
import { logInToProxy, type OpenSocks, requestServer } from './socks5.ts';

/** The process whose ports lead through a SOCKS proxy. It ends with the channel to the host, however that ends. */

const post = (message: FromSocksTunnel, sent: () => void = () => {}): void => {
  if (process.connected) process.send?.(message, sent);
  else sent();
};

async function open({ socks, endpoints }: ToSocksTunnel): Promise<void> {
  try {
    // Reports a refused login before any driver connects; servers behind the proxy do not notice the attempt.
    (await logInToProxy(socks)).destroy();
    post({ type: 'open', ports: await Promise.all(endpoints.map((endpoint) => listenFor(socks, endpoint))) });
  } catch (thrown) {
    post({ type: 'failed', error: toErrorData(thrown) }, () => process.exit(0));
  }
}

async function listenFor(socks: OpenSocks, to: Endpoint): Promise<number> {
  const options = { pauseOnConnect: true, noDelay: true, allowHalfOpen: true };
  const server = createServer(options, (near) => void passOn(near, socks, to));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function passOn(near: Socket, socks: OpenSocks, to: Endpoint): Promise<void> {
  near.on('error', () => {}); // 'close' follows.
  try {
    const far = await logInToProxy(socks);
    await requestServer(far, socks, to);
    far.on('error', () => {});
    far.on('close', () => near.destroy());
    if (near.destroyed) far.destroy();
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  } catch (thrown) {
    // The reason is reported before the driver notices the break, so that it is known when it is asked for.
    post({ type: 'refused', error: toErrorData(thrown) }, () => near.destroy());
  }
}

// The process is like workers (worker.ts): it has no raised priority, and it is the host that acts on Ctrl-C.
try {
  setPriority(0);
} catch {}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (message) => void open(message as ToSocksTunnel));
process.on('disconnect', () => process.exit(0));
