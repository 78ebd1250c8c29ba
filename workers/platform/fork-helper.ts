import { type ChildProcess, fork } from 'node:child_process';
import { childEnvironment } from './child-environment.ts';
import { nodeProgram } from './node-program.ts';

/**
 * Starts a module in a process of its own, which talks to this one over its channel alone. `more`: variables beside
 * those that every child receives. Throws what {@link nodeProgram} throws.
 */
export const forkHelper = (file: string, more: NodeJS.ProcessEnv = {}): ChildProcess =>
  fork(file, [], {
    execPath: nodeProgram(),
    execArgv: [],
    env: { ...childEnvironment(), ...more },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });

/** Kills a helper that has nothing to end or to finish. Returns when it is gone. */
export function killHelper(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  return endHelper(child);
}

/** A healthy helper ends the processes that it has started within this time. */
const patienceMs = 10_000;

/**
 * Closes a helper's channel, upon which it ends what it started, and itself; one that hangs is killed. Returns when all
 * of it is gone.
 */
export async function endHelper(child: ChildProcess, waitMs = patienceMs): Promise<void> {
  const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  if (isGone) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  if (child.connected) child.disconnect();
  const late = setTimeout(() => child.kill('SIGKILL'), waitMs);
  await exited;
  clearTimeout(late);
}
