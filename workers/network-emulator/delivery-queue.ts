import TinyQueue from 'tinyqueue';
import { openHighResolutionTimer } from '#runner/timing/high-resolution-timer.ts';

interface Delivery {
  readonly dueMs: number;
  /** The position in the order in which deliveries were asked for. */
  readonly number: number;
  readonly deliver: (lateMs: number) => void;
}

/** Calls functions when they are due, the earliest first; of those due at the same time, in the order of adding. */
export interface DeliveryQueue extends AsyncDisposable {
  /** Calls `deliver` at `dueMs` (performance.now) with its lateness, ms; before this returns if that time has come. */
  add(dueMs: number, deliver: (lateMs: number) => void): void;
}

export async function openDeliveryQueue(): Promise<DeliveryQueue> {
  const queue = new TinyQueue<Delivery>([], (a, b) => a.dueMs - b.dueMs || a.number - b.number);
  const timer = await openHighResolutionTimer();
  let added = 0;
  let timerMs = Infinity;
  timer.onExpiry = () => {
    timerMs = Infinity;
    deliverDue();
  };

  function deliverDue(): void {
    let nowMs = performance.now();
    let first = queue.peek();
    while (first && first.dueMs <= nowMs) {
      queue.pop();
      first.deliver(nowMs - first.dueMs);
      nowMs = performance.now();
      first = queue.peek();
    }
    if (!first || first.dueMs >= timerMs) return;
    timerMs = first.dueMs;
    timer.setAt(timerMs);
  }

  return {
    add(dueMs, deliver) {
      queue.push({ dueMs, number: added++, deliver });
      // Data that has become due meanwhile goes first.
      deliverDue();
    },
    [Symbol.asyncDispose]: () => timer[Symbol.asyncDispose](),
  };
}
