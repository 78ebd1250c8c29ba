import { setTimeout as sleep } from 'node:timers/promises';
import { type StopSignals, terminate } from '#platform/guard.ts';
import { isAlive } from '#platform/is-alive.ts';

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
