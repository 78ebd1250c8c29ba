import { setTimeout as sleep } from 'node:timers/promises';
import { type StopSignals, terminate } from '#platform/guard.ts';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/**
 * Sends one signal after the other until the process is gone; returns then. A process that was stopped (SIGSTOP) goes on
 * to hear each: it ends its own children, which nobody else would find.
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
