import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectsDyno } from './dyno-app.ts';

/** A server outside the app's control, which the app connects to by its address like a user's server. */
export interface ManagedServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string;
  close(): Promise<void>;
}

/** Starts a PostgreSQL in a separate home with `dyno servers start`. */
export async function startManagedServer(): Promise<ManagedServer> {
  const home = await mkdtemp(join(tmpdir(), 'dyno-server-'));
  const env = { ...process.env, DYNO_HOME: home, NODE_NO_WARNINGS: '1' };
  const { node, cli } = await projectsDyno();
  const run = (...args: string[]): ChildProcess =>
    spawn(node, [cli, 'servers', ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const child = run('start', 'embedded-postgres', '--json', '--show-passwords');
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const close = async () => {
    child.kill('SIGINT');
    await ended;
    // Both steps are needed: if root runs the tests, the data is outside the home, and a running server cannot be
    // reset.
    for (const action of ['stop', 'reset'])
      await new Promise((resolve) => run(action, 'embedded-postgres').once('close', resolve));
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  const out = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.trimEnd().endsWith(']')) resolve(text);
    });
    child.once('close', () => resolve(text));
  });
  try {
    const [server] = JSON.parse(out) as readonly {
      readonly port: number;
      readonly secrets: { readonly password: string };
    }[];
    if (!server) throw new Error('The server did not start.');
    return {
      host: '127.0.0.1',
      port: server.port,
      user: 'dyno',
      database: 'postgres',
      password: server.secrets.password,
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
