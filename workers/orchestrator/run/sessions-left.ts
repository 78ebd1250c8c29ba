import { setTimeout as pause } from 'node:timers/promises';
import type { Control } from '../worker/control.ts';

/** A server may take a moment to notice that a client is gone. */
const patienceMs = 3_000;

/**
 * Number of a run's sessions that are still on the server after a short wait. `tag`: their mark. Null if the server
 * does not report it. Throws as Control.ask does.
 */
export async function sessionsLeft(control: Control, tag: string, signal: AbortSignal): Promise<number | null> {
  await control.connect(signal);
  const untilMs = performance.now() + patienceMs;
  for (let waitMs = 20; ; waitMs *= 2) {
    const left = await control.ask({ call: 'sessionsOf', tag, of: 'user' }, signal);
    if (left === null || left === 0 || performance.now() + waitMs > untilMs) return left;
    await pause(waitMs, undefined, { signal });
  }
}
