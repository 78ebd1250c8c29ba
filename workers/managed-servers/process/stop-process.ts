import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StopSignals, terminate } from '#platform/guard.ts';

/**
 * True if there is a process of this id that has not ended. A killed process keeps its id until its parent asks for it
 * (a zombie), which the first process of a container may never do.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM')) return false;
  }
  return !isZombie(pid);
}

/** proc_pid_stat(5): the state follows the name, which is in parentheses. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Sends one signal after the other until the process has ended. A stopped process (SIGSTOP) is continued, so that it
 * receives each: it ends its own children, which nobody else would find.
 */
export async function stopProcess(
  pid: number,
  alive: () => boolean = () => isAlive(pid),
  signals: StopSignals = terminate,
): Promise<void> {
  for (const [signal, patienceMs] of signals) {
    if (!alive()) return;
    try {
      process.kill(pid, signal);
      if (process.platform !== 'win32') process.kill(pid, 'SIGCONT');
    } catch {
      return;
    }
    for (let waited = 0; waited < patienceMs; waited += 25) {
      if (!alive()) return;
      await sleep(25);
    }
  }
}
