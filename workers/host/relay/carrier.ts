import { openAlarm } from './alarm.ts';
import { type Due, DueQueue } from './due-queue.ts';

interface Parcel extends Due {
  readonly deliver: (lateMs: number) => void;
}

/** Does things at the time they are due, in that order; those that are due together in the order in which they were handed over. */
export interface Carrier extends AsyncDisposable {
  /** `deliver` is called with how late it is. At once where it is due now. */
  at(dueMs: number, deliver: (lateMs: number) => void): void;
}

export async function openCarrier(): Promise<Carrier> {
  const queue = new DueQueue<Parcel>();
  let turn = 0;
  let alarmMs = Infinity;
  const alarm = await openAlarm(() => {
    alarmMs = Infinity;
    deliver();
  });

  function deliver(): void {
    let now = performance.now();
    for (let parcel = queue.takeBy(now); parcel !== null; parcel = queue.takeBy(now)) {
      parcel.deliver(now - parcel.atMs);
      now = performance.now();
    }
    const next = queue.first?.atMs ?? Infinity;
    if (next < alarmMs) {
      alarmMs = next;
      alarm.set(next);
    }
  }

  return {
    at(atMs, parcel) {
      queue.add({ atMs, turn: turn++, deliver: parcel });
      // What has become due meanwhile goes first.
      deliver();
    },
    [Symbol.asyncDispose]: () => alarm[Symbol.asyncDispose](),
  };
}
