import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setPriority } from 'node:os';
import { guard, type StopSignals } from '#platform/guard.ts';
import { openWord, sshArguments } from './ssh-command.ts';
import type { FromSshTunnel, ToSshTunnel } from './ssh-messages.ts';

/** The process that holds `ssh`. It ends with the channel to the host, however that ends, and `ssh` ends with it. */

const leavePatienceMs = 1_000;
const leaveSignals = [
  ['SIGTERM', leavePatienceMs],
  ['SIGKILL', leavePatienceMs],
] as const satisfies StopSignals;
/** Another program may take a free port before `ssh` does. */
const attempts = 3;

let child: ChildProcess | null = null;
let leaving = false;

const post = (message: FromSshTunnel, sent: () => void = () => {}): void => {
  if (process.connected) process.send?.(message, sent);
  else sent();
};

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

async function open({ ssh, endpoints }: ToSshTunnel, attempt = 1): Promise<void> {
  const ports = await freePorts(endpoints.length);
  if (leaving) return;
  const forwards = endpoints.map((to, index) => ({ to, port: ports[index]! }));
  let said = '';
  let printed = '';
  let isOpen = false;
  // A group and a session of its own: jump hosts are processes besides, and no terminal means that none can ask.
  child = spawn('ssh', sshArguments(ssh, forwards), {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  child.on('error', (error: NodeJS.ErrnoException) => {
    child = null;
    post({ type: 'missing', code: error.code ?? '', message: error.message }, () => process.exit(0));
  });
  // This process may be killed in one moment with its host. On Windows, `ssh` is in a job that ends with this process.
  const dismiss = child.pid === undefined ? () => {} : guard(-child.pid, leaveSignals);
  if (child.pid !== undefined) post({ type: 'started', pid: child.pid });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-200);
    if (isOpen || !printed.includes(openWord)) return;
    isOpen = true;
    post({ type: 'open', ports });
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
    post({ type: 'said', text });
  });
  child.on('close', (code, signal) => {
    dismiss();
    child = null;
    const isTaken = ports.some((port) => said.includes(`[127.0.0.1]:${port}: Address already in use`));
    if (!isOpen && isTaken && attempt < attempts && !leaving) void open({ ssh, endpoints }, attempt + 1);
    else post({ type: 'ended', how: signal ? `was killed by ${signal}` : `ended with exit code ${code}` }, exit);
  });
}

const exit = () => process.exit(0);

/** Ends `ssh` with all that it has started. */
function end(signal: NodeJS.Signals): void {
  if (child?.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The process has ended meanwhile.
  }
}

function leave(): void {
  leaving = true;
  if (child === null) exit();
  child?.once('close', exit);
  end('SIGTERM');
  setTimeout(() => {
    end('SIGKILL');
    exit();
  }, leavePatienceMs);
}

// The process is like workers (worker.ts): it has no raised priority, and it is the host that acts on Ctrl-C.
try {
  setPriority(0);
} catch {}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (message) => void open(message as ToSshTunnel));
process.on('disconnect', leave);
