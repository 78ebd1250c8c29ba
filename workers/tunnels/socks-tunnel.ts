import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '#engine-api/config.ts';
import { portsFor } from '#engine-api/instead.ts';
import { DynoError, fromErrorData, toErrorData } from '#model/error.ts';
import { socksText } from '#model/socks.ts';
import { forkHelper, killHelper } from '#platform/fork-helper.ts';
import type { FromSocksTunnel, ToSocksTunnel } from './socks-messages.ts';
import { logInToProxy, type OpenSocks } from './socks5.ts';
import { isAboutConnections, reasonWithinMs, type Tunnel } from './tunnel.ts';

const processFile = fileURLToPath(new URL('./socks-tunnel-process.ts', import.meta.url));

/**
 * Opens ports that lead through a SOCKS proxy, in a process of their own. @throws DynoError 'unreachable' where there
 * is no SOCKS5 proxy, 'authentication' where it refuses the login; 'cancelled' on the signal.
 */
export async function openSocksTunnel(
  socks: OpenSocks,
  endpoints: readonly Endpoint[],
  signal: AbortSignal,
): Promise<Tunnel> {
  signal.throwIfAborted();
  const child = forkHelper(processFile);
  const opened = Promise.withResolvers<readonly number[]>();
  opened.promise.catch(() => {}); // It may end while nothing waits for it.
  let failed: DynoError | null = null;
  let refusal = Promise.withResolvers<DynoError>();
  const fail = (error: DynoError) => {
    failed ??= error;
    refusal.resolve(failed);
    opened.reject(failed);
  };
  child.on('message', (raw) => {
    const message = raw as FromSocksTunnel;
    if (message.type === 'open') opened.resolve(message.ports);
    else if (message.type === 'failed') fail(fromErrorData(message.error));
    else refusal.resolve(fromErrorData(message.error));
  });
  const broke = (how: string) =>
    fail(new DynoError('serverGone', `The way through the SOCKS proxy ${socksText(socks)} broke: ${how}`));
  child.on('error', ({ message }) => broke(message));
  child.on('exit', () => broke('the process that holds it has ended.'));
  child.send({ socks, endpoints } satisfies ToSocksTunnel, () => {}); // Where that fails, 'exit' tells.

  // The process has started nothing that would have to be ended first.
  const end = () => killHelper(child);
  const stop = () => opened.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const ports = await opened.promise;
    return {
      kind: 'socks',
      pids: child.pid === undefined ? [] : [child.pid],
      instead: portsFor(endpoints, ports, 'The tunnel'),
      async explain(error) {
        if (!isAboutConnections(error)) return error;
        const said = await Promise.race([refusal.promise, sleep(reasonWithinMs, null, { ref: false })]);
        if (failed) return failed.data;
        refusal = Promise.withResolvers();
        return said?.data ?? (await goneProxy(socks)) ?? error;
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (thrown) {
    await end();
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A connection that broke may have lost its server or its proxy: the proxy is asked. Null: it is there. */
async function goneProxy(socks: OpenSocks): Promise<ReturnType<typeof toErrorData> | null> {
  try {
    (await logInToProxy(socks)).destroy();
    return null;
  } catch (thrown) {
    const { message, hint } = toErrorData(thrown);
    return new DynoError('serverGone', message, { hint }).data;
  }
}
