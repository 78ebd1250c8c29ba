import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '#engine-api/config.ts';
import { DynoError, type ErrorData, type ErrorKind } from '#model/error.ts';
import { type Ssh, sshText } from '#model/ssh.ts';
import { childEnvironment } from '#platform/child-environment.ts';
import { nodeProgram } from '#platform/node-program.ts';
import { within } from '#platform/worker-errors.ts';
import type { FromTunnel, ToTunnel } from './messages.ts';
import { broken, noProgram, notOpened, refusedBehind } from './ssh-errors.ts';

/** The system's `ssh`, with a port of 127.0.0.1 for each server behind it. Disposing of it ends `ssh`. */
export interface Tunnel extends AsyncDisposable {
  readonly ssh: Ssh;
  /** Process ids of `ssh`, and of the process that ends it once this one is gone. */
  readonly pids: readonly number[];
  /** The address to connect to instead of this server's. */
  instead(of: Endpoint): Endpoint;
  /**
   * The error of a connection through the tunnel: where the tunnel broke ('serverGone') or its SSH server did not pass
   * the connection on ('unreachable', 'permission'), that instead.
   */
  explain(error: ErrorData): Promise<ErrorData>;
}

const processFile = fileURLToPath(new URL('./tunnel-process.ts', import.meta.url));
/** Jump hosts come one after the other. */
const openWithinMs = 60_000;
/** How much later than a broken connection its reason may come. */
const reasonWithinMs = 300;

/**
 * Opens a tunnel with a port for each endpoint. @throws DynoError by what `ssh` says: 'tls' for a host key,
 * 'authentication', 'unreachable', 'unsupported' where there is no `ssh`; 'cancelled' on the signal.
 */
export async function openTunnel(ssh: Ssh, endpoints: readonly Endpoint[], signal: AbortSignal): Promise<Tunnel> {
  signal.throwIfAborted();
  const { SSH_AUTH_SOCK: agent } = process.env;
  const child = fork(processFile, [], {
    execPath: nodeProgram(),
    execArgv: [],
    // The agent is for ssh alone; workers are not told of it.
    env: { ...childEnvironment(), ...(agent !== undefined && { SSH_AUTH_SOCK: agent }), SSH_ASKPASS_REQUIRE: 'never' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const opened = Promise.withResolvers<readonly number[]>();
  const gone = Promise.withResolvers<void>();
  opened.promise.catch(() => {}); // It may end while nothing waits for it.
  let pid: number | null = null;
  let said = '';
  let isOpen = false;
  let isEnding = false;
  let failed: DynoError | null = null;

  const fail = (error: DynoError) => {
    if (!isEnding) failed ??= error;
    opened.reject(error);
    gone.resolve();
  };
  const ended = (how: string) => fail(isOpen ? broken(ssh, said, how) : notOpened(ssh, said, how));
  child.on('message', (raw) => {
    const message = raw as FromTunnel;
    switch (message.type) {
      case 'started':
        pid = message.pid;
        break;
      case 'said':
        said = (said + message.text).slice(-4_000);
        break;
      case 'open':
        isOpen = true;
        said = '';
        opened.resolve(message.ports);
        break;
      case 'missing':
        fail(noProgram(message.message, message.code));
        break;
      case 'ended':
        ended(message.how);
        break;
    }
  });
  child.on('error', ({ message }) => fail(new DynoError('workerGone', `The process of the tunnel failed: ${message}`)));
  child.on('exit', (code) => {
    // Whoever killed it left ssh behind.
    if (pid !== null && code !== 0) killGroup(pid);
    ended('has lost the process that holds it');
  });

  child.send({ ssh, endpoints } satisfies ToTunnel, () => {}); // Where that fails, 'exit' tells.
  const stop = () => opened.reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted.'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const ports = await within(openWithinMs, opened.promise, `The SSH tunnel through ${sshText(ssh)} did not open`);
    const addresses = new Map(endpoints.map((one, index) => [nameOf(one), { host: '127.0.0.1', port: ports[index]! }]));
    return {
      ssh,
      get pids() {
        return [child.pid, pid].flatMap((one) => one ?? []);
      },
      instead(of) {
        const address = addresses.get(nameOf(of));
        if (!address) throw new DynoError('internal', `The SSH tunnel does not lead to ${nameOf(of)}.`);
        return address;
      },
      async explain(error) {
        if (!isAboutConnections(error)) return error;
        await Promise.race([gone.promise, sleep(reasonWithinMs, undefined, { ref: false })]);
        if (failed) return failed.data;
        const refused = refusedBehind(ssh, said, endpoints.map(nameOf).join(', '));
        said = '';
        return refused?.data ?? error;
      },
      [Symbol.asyncDispose]() {
        isEnding = true;
        return end(child);
      },
    };
  } catch (thrown) {
    isEnding = true;
    await end(child);
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Drivers call what a connection through a broken tunnel comes to by many names; these are never its. */
const isAboutConnections = ({ kind }: ErrorData): boolean => !serversOwn.includes(kind);
const serversOwn: readonly ErrorKind[] = [
  ...(['cancelled', 'authentication', 'permission', 'uniqueViolation', 'constraint', 'deadlock'] as const),
  ...(['lockTimeout', 'serialization', 'mismatch', 'wrongResult', 'syntax', 'unsupported', 'notOurs'] as const),
];

const nameOf = ({ host, port }: Endpoint): string => `${host}:${port}`;

/** Closes the channel, upon which the process ends `ssh` and itself. Returns when both are gone. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  if (child.connected) child.disconnect();
  await exited;
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already, as it should.
  }
}
