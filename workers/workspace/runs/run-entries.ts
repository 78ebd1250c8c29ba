import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { runState } from '#analysis/compare/run-state.ts';
import { gradeOf } from '#analysis/grade/grade.ts';
import { gradeReason } from '#analysis/grade/grade-text.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { sizeTitle } from '#experiment/schema/sizes.ts';
import { DynoError } from '#model/error.ts';
import { isLocked } from '#platform/file-lock.ts';
import type { Home } from '#platform/paths.ts';
import { gradeLevels, type RunEntry } from '#protocol/ipc.ts';
import { whole } from '#protocol/read-values.ts';
import type { RunAnnotation } from '#protocol/run-annotation.ts';
import { openKeptIndex } from '../kept-index.ts';
import { runFile, runFileEnding, runLockFile } from './journal-file.ts';
import { readJournal } from './journal-reader.ts';
import { pinnedBaselines } from './pinned-baselines.ts';
import { readAnnotation } from './run-annotations.ts';
import { cellsOf } from './run-cells.ts';

/** The entries of the list of runs. Reading them takes as long as the run files are large (runs-thread.ts). */
interface RunEntries {
  /** Newest first. */
  list(): Promise<readonly RunEntry[]>;
  /** The entry of one run, whose file exists. */
  entry(id: string): Promise<RunEntry>;
}

/** The facts in a run file, without facts in other files. */
type Summary = Omit<RunEntry, keyof RunAnnotation | 'isBaseline'>;

const summarySchema: v.GenericSchema<unknown, Summary> = v.object({
  id: v.string(),
  name: v.string(),
  size: v.nullable(v.string()),
  startedAt: v.string(),
  status: v.picklist(['complete', 'cancelled', 'interrupted', 'running', 'unreadable']),
  trialsDone: whole,
  trialsGood: whole,
  trialsPlanned: v.nullable(whole),
  comparison: v.picklist(['made', 'none', 'notPlanned']),
  targets: v.array(v.string()),
  bytes: whole,
  durationMs: v.number(),
  cells: v.array(
    v.object({
      label: v.string(),
      target: v.string(),
      index: whole,
      value: v.number(),
      digits: whole,
      unit: v.picklist(['rows/s', 'calls/s']),
    }),
  ),
  grade: v.nullable(v.object({ level: v.picklist(gradeLevels), reason: v.string() })),
});

/** Opens the entries of the runs in a home, with the index of the files that were read before. */
export function openRunEntries(home: Home): RunEntries {
  // A finished file does not change, so its summary is kept while size and modification time stay the same.
  const index = openKeptIndex(home.runList, summarySchema);

  const pinnedRuns = (): ReadonlySet<string> => new Set(pinnedBaselines(home).values());

  async function entry(id: string, pinned = pinnedRuns()): Promise<RunEntry> {
    const file = runFile(home, id);
    const own = { ...readAnnotation(home, id), isBaseline: pinned.has(id) };
    const { size, mtimeMs } = statSync(file);
    try {
      if (isLocked(runLockFile(home, file))) return { ...(await summarise(id, file, true)), ...own };
      const key = `${id} ${size} ${mtimeMs}`;
      return { ...(index.get(key) ?? index.set(key, await summarise(id, file, false))), ...own };
    } catch {
      return { ...unreadable(id, file), ...own };
    }
  }

  return {
    entry: (id) => entry(id),
    async list() {
      const names = existsSync(home.runs) ? readdirSync(home.runs) : [];
      const ids = names
        // A link may be broken.
        .filter((name) => name.endsWith(runFileEnding) && existsSync(join(home.runs, name)))
        .map((name) => basename(name, runFileEnding));
      const pinned = pinnedRuns();
      const entries: RunEntry[] = [];
      // A run may be deleted while the list is read.
      for (const id of ids.sort().reverse()) if (existsSync(runFile(home, id))) entries.push(await entry(id, pinned));
      index.keep();
      return entries;
    },
  };
}

const sizeOf = ({ size, sizes }: Experiment): string | null => (sizes === undefined ? null : sizeTitle(size));

/** Kinds of records that tell how far a run came. A run that is going on is read often, and has no grade yet. */
const recordsOfProgress = ['target', 'trial', 'result', 'enough', 'end', 'resumed'] as const;

/** Reads a run file. Throws 'badInput' where it is not one. */
async function summarise(id: string, file: string, live: boolean): Promise<Summary> {
  const reader = createRunReader();
  let durationMs = 0;
  let lastAt = 0;
  for await (const record of readJournal(file, live ? recordsOfProgress : null)) {
    reader.add(record);
    // The time before a resume is a pause.
    if (record.record === 'result') durationMs += Math.max(0, Date.parse(record.at) - lastAt);
    if (record.record === 'header' || record.record === 'result' || record.record === 'resumed')
      lastAt = Date.parse(record.at);
  }
  if (!reader.started) throw new DynoError('badInput', 'No header.');
  const model = reader.model({ live });
  const { plan, targets, trials } = model;
  const grade = gradeOf(model);
  return {
    ...runState(model),
    id,
    name: plan.experiment.name,
    size: sizeOf(plan.experiment),
    startedAt: model.startedAt,
    targets: plan.targets.map((target) => target.name),
    bytes: statSync(file).size,
    durationMs,
    cells: cellsOf(
      plan,
      targets,
      trials.flatMap(({ result }) => result ?? []),
    ),
    grade: grade && { level: grade.level, reason: gradeReason(grade) },
  };
}

function unreadable(id: string, file: string): Summary {
  const { size, mtime } = statSync(file);
  return {
    id,
    name: id,
    size: null,
    startedAt: mtime.toISOString(),
    status: 'unreadable',
    trialsDone: 0,
    trialsGood: 0,
    trialsPlanned: 0,
    comparison: 'notPlanned',
    grade: null,
    targets: [],
    bytes: size,
    durationMs: 0,
    cells: [],
  };
}
