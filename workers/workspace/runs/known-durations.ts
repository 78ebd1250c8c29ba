import * as v from 'valibot';
import { type Durations, noDurations } from '#planning/durations.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

/** The least figure that is kept: estimates divide by figures. */
const least = 0.001;
const figures = v.record(v.string(), v.pipe(v.number(), v.finite(), v.minValue(least)));
const schema = v.object({
  rates: figures,
  trials: figures,
  besides: figures,
  tables: figures,
  starts: figures,
  rounds: figures,
});
const kinds = ['rates', 'trials', 'besides', 'tables', 'starts', 'rounds'] as const;

/** The most figures of a kind that are kept. */
const mostKept = 1_000;

/** The durations of earlier runs in this home. Damage of their file costs nothing but good estimates. */
export function readDurations(home: Home): Durations {
  const read = v.safeParse(schema, readJson(home.durations));
  if (!read.success) return { ...noDurations, isEmpty: true };
  const [rates, trials, besides, tables, starts, rounds] = kinds.map(
    (kind) => new Map(Object.entries(read.output[kind])),
  );
  const known = {
    rates: rates!,
    trials: trials!,
    besides: besides!,
    tables: tables!,
    starts: starts!,
    rounds: rounds!,
  };
  return { ...known, isEmpty: false };
}

/** Adds the durations of a run, and forgets the oldest ones. Never throws. */
export function rememberDurations(home: Home, run: Omit<Durations, 'isEmpty'>): void {
  const known = readDurations(home);
  const kept = kinds.map((kind) => {
    const older = [...known[kind]].filter(([key]) => !run[kind].has(key));
    const own = [...run[kind]].map(([key, figure]) => [key, Math.max(least, figure)] as const);
    return [kind, Object.fromEntries([...older, ...own].slice(-mostKept))];
  });
  try {
    writeAtomically(home.durations, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Estimates are optional; the journal reports a full disk.
  }
}
