import type { ProbeSample } from '#engine-api/probe.ts';
import type { ForeignHolder, ForeignLocks } from '../run-model/run-model.ts';

/** Combines the samples of a trial by session outside the run that blocked its sessions in the measured phase. */
export function createForeignLocks() {
  const holders = new Map<string, ForeignHolder>();
  let samples = 0;
  let named = 0;
  return {
    add(atMs: number, { foreignLocks }: ProbeSample): void {
      // The "before" sample precedes the measured phase.
      if (atMs === 0) return;
      samples++;
      if (foreignLocks === undefined) return;
      named++;
      for (const one of foreignLocks) addTo(holders, { ...one, samples: 1 });
    },
    found: (): ForeignLocks => ({ samples, named, holders: [...holders.values()] }),
  };
}

/** Adds up the locks of several trials; the session that blocked the most comes first. */
export function addForeignLocks(all: readonly ForeignLocks[]): ForeignLocks {
  const holders = new Map<string, ForeignHolder>();
  for (const { holders: own } of all) for (const one of own) addTo(holders, one);
  return {
    samples: all.reduce((sum, { samples }) => sum + samples, 0),
    named: all.reduce((sum, { named }) => sum + named, 0),
    holders: [...holders.values()].toSorted((a, b) => b.waiting - a.waiting),
  };
}

function addTo(holders: Map<string, ForeignHolder>, one: ForeignHolder): void {
  const known = holders.get(one.holder);
  holders.set(one.holder, {
    holder: one.holder,
    samples: one.samples + (known?.samples ?? 0),
    waiting: one.waiting + (known?.waiting ?? 0),
    heldMs: known?.heldMs == null ? one.heldMs : Math.max(known.heldMs, one.heldMs ?? 0),
  });
}
