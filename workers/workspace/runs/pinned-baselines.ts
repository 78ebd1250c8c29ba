import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { changeAlone } from '#platform/file-lock.ts';
import { readJson, setAside, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

const storedSchema = v.array(v.object({ experiment: v.string(), run: v.string() }));

/** The pinned baselines in the home's file; null if the file is damaged. */
function read(home: Home): ReadonlyMap<string, string> | null {
  if (!existsSync(home.baselines)) return new Map();
  const stored = v.safeParse(storedSchema, readJson(home.baselines));
  return stored.success ? new Map(stored.output.map(({ experiment, run }) => [experiment, run])) : null;
}

/**
 * The ids of the pinned baselines by the names of their experiments. A deleted run stays in it, so that Dyno can say
 * that the baseline is gone, and a restored run is the baseline again.
 */
export const pinnedBaselines = (home: Home): ReadonlyMap<string, string> => read(home) ?? new Map();

/** Pins a run as the baseline of its experiment in place of another run, or unpins it. */
export function pinBaseline(home: Home, experiment: string, runId: string, pinned: boolean): void {
  changeAlone(home.baselines, () => {
    const kept = read(home);
    if (kept === null) setAside(home.baselines);
    const changed = new Map(kept);
    if (pinned) changed.set(experiment, runId);
    else if (changed.get(experiment) === runId) changed.delete(experiment);
    const stored = Array.from(changed, ([one, run]) => ({ experiment: one, run }));
    writeAtomically(home.baselines, JSON.stringify(stored));
  });
}
