import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '#engine-api/config.ts';
import { endpointName, portsFor } from '#engine-api/instead.ts';
import { DynoError } from '#model/error.ts';
import { type Ssh, sshText } from '#model/ssh.ts';
import { endHelper, forkHelper } from '#platform/fork-helper.ts';
import { within } from '#platform/worker-errors.ts';
import { requireKeyFile } from './ssh-command.ts';
import { broken, noProgram, notOpened, refusedBehind } from './ssh-errors.ts';
import type { FromSshTunnel, ToSshTunnel } from './ssh-messages.ts';
import { isAboutConnections, reasonWithinMs, type Tunnel } from './tunnel.ts';

const processFile = fileURLToPath(new URL('./ssh-tunnel-process.ts', import.meta.url));
/** Jump hosts come one after the other. */
const openWithinMs = 60_000;

/**
 * Opens a tunnel of the system's `ssh`; disposing of it ends `ssh`. `pids` are those of `ssh`, and of the process that
 * ends it once this one is gone. @throws DynoError by what `ssh` says: 'tls' for a host key,
 * 'authentication', 'unreachable', 'unsupported' where there is no `ssh`; 'cancelled' on the signal.
 */
export async function openSshTunnel(ssh: Ssh, endpoints: readonly Endpoint[], signal: AbortSignal): Promise<Tunnel> {
  signal.throwIfAborted();
  requireKeyFile(ssh);
  const { SSH_AUTH_SOCK: agent } = process.env;
  const child = forkHelper(processFile, {
    // The agent is for ssh alone; workers are not told of it.
    ...(agent !== undefined && { SSH_AUTH_SOCK: agent }),
    SSH_ASKPASS_REQUIRE: 'never',
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
    const message = raw as FromSshTunnel;
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
    // The killed process has left `ssh` behind.
    if (pid !== null && code !== 0) killGroup(pid);
    ended('has lost the process that holds it');
  });

  child.send({ ssh, endpoints } satisfies ToSshTunnel, () => {}); // Where that fails, 'exit' tells.
  const stop = () => opened.reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted.'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const ports = await within(openWithinMs, opened.promise, `The SSH tunnel through ${sshText(ssh)} did not open`);
    return {
      kind: 'ssh',
      get pids() {
        return [child.pid, pid].flatMap((one) => one ?? []);
      },
      instead: portsFor(endpoints, ports, 'The tunnel'),
      async explain(error) {
        if (!isAboutConnections(error)) return error;
        await Promise.race([gone.promise, sleep(reasonWithinMs, undefined, { ref: false })]);
        if (failed) return failed.data;
        const refused = refusedBehind(ssh, said, endpoints.map(endpointName).join(', '));
        said = '';
        return refused?.data ?? error;
      },
      [Symbol.asyncDispose]() {
        isEnding = true;
        return endHelper(child);
      },
    };
  } catch (thrown) {
    isEnding = true;
    await endHelper(child);
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // The process has ended already, as intended.
  }
}
