import { fileURLToPath } from 'node:url';
import type { Endpoint } from '#engine-api/config.ts';
import { endpointName, portsFor } from '#engine-api/instead.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import { forkHelper, killHelper } from '#platform/fork-helper.ts';
import { within } from '#platform/worker-errors.ts';
import type { EmulatedNetwork } from '#protocol/measurement.ts';
import type { NetworkShape } from './link.ts';
import type { FromEmulator, ToEmulator } from './messages.ts';

/** A process on 127.0.0.1 that connections to servers go through, and that delays them. Disposing of it ends it. */
interface NetworkEmulator extends AsyncDisposable {
  readonly pid: number;
  /** The address to connect to instead of this endpoint. */
  instead(of: Endpoint): Endpoint;
  /** Drops what was measured before. */
  begin(): void;
  /** Returns the report since begin(). Rejects with 'workerGone' if the process has died meanwhile. */
  report(): Promise<EmulatedNetwork>;
  /** The error of the first server that could not be reached; null where all were. */
  readonly refused: ErrorData | null;
}

const processFile = fileURLToPath(new URL('./emulator-process.ts', import.meta.url));
const openWithinMs = 20_000;
const reportWithinMs = 10_000;

/** Starts an emulator with a port for each endpoint. Rejects with 'workerGone' or 'timeout' if it does not start. */
export async function startNetworkEmulator(
  shape: NetworkShape,
  endpoints: readonly Endpoint[],
): Promise<NetworkEmulator> {
  const child = forkHelper(processFile);
  const opened = Promise.withResolvers<readonly number[]>();
  const gone = Promise.withResolvers<never>();
  let reported: ((network: EmulatedNetwork) => void) | null = null;
  let refused: ErrorData | null = null;
  gone.promise.catch(() => {}); // The process may die while nothing waits for it.

  child.on('message', (raw) => {
    const message = raw as FromEmulator;
    if (message.type === 'open') opened.resolve(message.ports);
    else if (message.type === 'report') reported?.(message.network);
    else refused ??= refusedError(message).data;
  });
  child.on('error', (error) =>
    gone.reject(new DynoError('workerGone', `The network emulator failed: ${error.message}`)),
  );
  child.on('exit', (code, signal) => gone.reject(goneError(child.pid ?? 0, code, signal, endpoints)));

  const post = (message: ToEmulator) => {
    if (child.connected) child.send(message, () => {}); // Where that fails, 'exit' tells why.
  };
  // The process has nothing to finish, because the clients have closed their connections or are about to.
  const end = () => killHelper(child);
  post({ type: 'open', shape, endpoints });
  try {
    const ports = await within(
      openWithinMs,
      Promise.race([opened.promise, gone.promise]),
      'The network emulator did not start',
    );
    return {
      pid: child.pid ?? 0,
      instead: portsFor(endpoints, ports, 'The network emulator'),
      begin: () => post({ type: 'begin' }),
      report() {
        const answer = new Promise<EmulatedNetwork>((resolve) => {
          reported = resolve;
        });
        post({ type: 'report' });
        return within(reportWithinMs, Promise.race([answer, gone.promise]), 'The network emulator did not answer');
      },
      get refused() {
        return refused;
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

function goneError(pid: number, code: number | null, signal: string | null, endpoints: readonly Endpoint[]): DynoError {
  const how = signal ? `was killed by ${signal}` : `ended with exit code ${code}`;
  const message = `The network emulator for ${endpoints.map(endpointName).join(', ')} (process ${pid}) ${how}.`;
  return new DynoError('workerGone', message, {
    code: signal ?? String(code),
    hint: 'All connections of the trial went through it (networkRoundTripMs, networkJitterMs, networkMbit). The server is not to blame.',
  });
}

const refusedError = ({ endpoint, code, message }: FromEmulator & { type: 'refused' }): DynoError =>
  new DynoError('unreachable', `The network emulator could not reach ${endpointName(endpoint)}: ${message}`, { code });
