import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findNatsServer } from '#managed-servers/install/nats-server-program.ts';
import { onFreePort } from '#managed-servers/process/free-port.ts';
import { nodeProgram } from '#platform/node-program.ts';

/** The reason why there can be no bus here; null: there can. */
export const noBus: string | null =
  findNatsServer() === null ? 'nats-server is not installed: dyno servers install nats-server' : null;

/** A nats-server of a test's own. */
interface TestBus extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
}

/** `argsIn`: its arguments for a folder of its own and a port; default: no login and no TLS. */
export async function startBus(
  argsIn = (folder: string, port: number): readonly string[] => [
    ...['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder],
  ],
): Promise<TestBus> {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-bus-'));
  return onFreePort(async (port) => {
    const child = spawn(findNatsServer()!, [...argsIn(folder, port)], { stdio: 'ignore' });
    while (!(await isOpen(port))) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}.`);
      await sleep(20);
    }
    return {
      url: `nats://127.0.0.1:${port}`,
      port,
      pid: child.pid ?? 0,
      async [Symbol.asyncDispose]() {
        await ended(child, 'SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.unref();
    socket.on('connect', () => socket.destroy());
  });

/** `dyno agent` in a process and a home of its own. */
export interface TestAgent extends AsyncDisposable {
  readonly publicKey: string;
  readonly child: ChildProcess;
}

/** `more`: further options. `prefix`: a program that becomes the agent: `ip netns exec NAME`. */
export async function startAgent(
  url: string,
  trust: string,
  more: readonly string[] = [],
  prefix: readonly string[] = [],
): Promise<TestAgent> {
  const home = mkdtempSync(join(tmpdir(), 'dyno-agent-home-'));
  const cli = fileURLToPath(new URL('../cli.ts', import.meta.url));
  const [program = '', ...args] = [...prefix, nodeProgram(), cli, 'agent', '--nats', url, '--trust', trust, ...more];
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DYNO_HOME: home },
  });
  const publicKey = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [, key] = /^public key: (\S+)$/.exec(line) ?? [];
      if (key !== undefined) resolve(key);
    });
    child.on('exit', (code) => reject(new Error(`The agent ended with ${code}.`)));
  });
  return {
    publicKey,
    child,
    async [Symbol.asyncDispose]() {
      await ended(child, 'SIGINT');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exited;
}
