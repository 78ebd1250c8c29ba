import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '#engine-api/engine.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import type { RelayedNetwork } from '#protocol/measurement.ts';
import { childEnvironment } from '../child-environment.ts';
import { nodeProgram } from '../node-program.ts';
import { within } from '../worker-errors.ts';
import type { NetworkShape } from './link.ts';
import type { FromRelay, ToRelay } from './messages.ts';

/** A process on 127.0.0.1 that connections to servers go through, and that makes the way there longer. Gone when it is disposed of. */
export interface Relay extends AsyncDisposable {
  readonly pid: number;
  /** Where to connect to instead of this endpoint. */
  instead(of: Endpoint): Endpoint;
  /** Forgets what was measured before. */
  begin(): void;
  /** What it did since begin(). Rejects with 'workerGone' where it has died meanwhile. */
  report(): Promise<RelayedNetwork>;
  /** The first server that it could not reach; null where it reached all. */
  readonly refused: ErrorData | null;
}

const processFile = fileURLToPath(new URL('./relay-process.ts', import.meta.url));
const openWithinMs = 20_000;
const reportWithinMs = 10_000;

export async function startRelay(shape: NetworkShape, endpoints: readonly Endpoint[]): Promise<Relay> {
  const child = fork(processFile, [], {
    execPath: nodeProgram(),
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const opened = Promise.withResolvers<readonly number[]>();
  const gone = Promise.withResolvers<never>();
  let reported: ((network: RelayedNetwork) => void) | null = null;
  let refused: ErrorData | null = null;
  gone.promise.catch(() => {}); // Nobody may be waiting when it dies.

  child.on('message', (raw) => {
    const message = raw as FromRelay;
    if (message.type === 'open') opened.resolve(message.ports);
    else if (message.type === 'report') reported?.(message.network);
    else refused ??= refusedError(message).data;
  });
  child.on('error', (error) => gone.reject(new DynoError('workerGone', `The relay failed: ${error.message}`)));
  child.on('exit', (code, signal) => gone.reject(goneError(child.pid ?? 0, code, signal, endpoints)));

  const post = (message: ToRelay) => {
    if (child.connected) child.send(message, () => {}); // Where that fails, 'exit' says why.
  };
  post({ type: 'open', shape, endpoints });
  try {
    const ports = await within(openWithinMs, Promise.race([opened.promise, gone.promise]), 'The relay did not start');
    const places = new Map(endpoints.map((one, index) => [nameOf(one), { host: '127.0.0.1', port: ports[index]! }]));
    return {
      pid: child.pid ?? 0,
      instead(of) {
        const place = places.get(nameOf(of));
        if (!place) throw new DynoError('internal', `The relay does not lead to ${nameOf(of)}.`);
        return place;
      },
      begin: () => post({ type: 'begin' }),
      report() {
        const answer = new Promise<RelayedNetwork>((resolve) => {
          reported = resolve;
        });
        post({ type: 'report' });
        return within(reportWithinMs, Promise.race([answer, gone.promise]), 'The relay did not answer');
      },
      get refused() {
        return refused;
      },
      [Symbol.asyncDispose]: () => end(child),
    };
  } catch (thrown) {
    await end(child);
    throw thrown;
  }
}

const nameOf = ({ host, port }: Endpoint): string => `${host}:${port}`;

/** It has nothing to finish: its connections' ends are closed, or are to be. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

function goneError(pid: number, code: number | null, signal: string | null, endpoints: readonly Endpoint[]): DynoError {
  const how = signal ? `was killed by ${signal}` : `ended with exit code ${code}`;
  return new DynoError('workerGone', `The relay to ${endpoints.map(nameOf).join(', ')} (process ${pid}) ${how}.`, {
    code: signal ?? String(code),
    hint: 'All connections of the trial went through it (networkRoundTripMs, networkJitterMs, networkMbit). The server is not to blame.',
  });
}

const refusedError = ({ endpoint, code, message }: FromRelay & { type: 'refused' }): DynoError =>
  new DynoError('unreachable', `The relay could not reach ${nameOf(endpoint)}: ${message}`, { code });
