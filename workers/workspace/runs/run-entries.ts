import { existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { runState } from '#analysis/compare/run-state.ts';
import { gradeOf } from '#analysis/grade/grade.ts';
import { gradeReason } from '#analysis/grade/grade-text.ts';
import { historyOf } from '#analysis/history/history.ts';
import { factsOf } from '#analysis/history/run-facts.ts';
import { runValues } from '#analysis/history/run-values.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { chosenSize } from '#experiment/schema/sizes.ts';
import { DynoError } from '#model/error.ts';
import { isLocked } from '#platform/file-lock.ts';
import type { Home } from '#platform/paths.ts';
import type { History } from '#protocol/history.ts';
import { gradeLevels, type RunEntry } from '#protocol/ipc.ts';
import { endReason } from '#protocol/journal.ts';
import { whole } from '#protocol/read-values.ts';
import type { RunAnnotation } from '#protocol/run-annotation.ts';
import type { TimesOfRuns } from '#protocol/times-of-runs.ts';
import { runFile, runFileEnding, runLockFile } from './journal-file.ts';
import { readJournal } from './journal-reader.ts';
import { pinnedBaselines } from './pinned-baselines.ts';
import { readAnnotation } from './run-annotations.ts';
import { cellsOf } from './run-cells.ts';
import { openRunIndex } from './run-index.ts';

/** The entries of the list of runs. Reading them takes as long as the run files are large (runs-thread.ts). */
interface RunEntries {
  /** Newest first. */
  list(): Promise<readonly RunEntry[]>;
  /** The entry of one run, whose file exists. */
  entry(id: string): Promise<RunEntry>;
  history(asked: HistoryRequest): Promise<History>;
  times(asked: ExperimentRuns): Promise<readonly TimesOfRuns[]>;
}

/** The complete runs of the experiment with this name and size. */
export interface ExperimentRuns {
  readonly name: string;
  readonly size: string | null;
}

/** The runs of a history. */
export interface HistoryRequest extends ExperimentRuns {
  /** The largest number of runs, of which the latest are taken; null: all. */
  readonly last: number | null;
  /** The earliest time of a run's start (ISO 8601); null: any. */
  readonly since: string | null;
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
  endedBy: v.exactOptional(endReason),
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
  const index = openRunIndex(home.runIndex);
  /** The summaries that this process has parsed, by the text in the index. */
  const parsed = new Map<string, Summary>();

  const pinnedRuns = (): ReadonlySet<string> => new Set(pinnedBaselines(home).values());

  /** The summary in a text of the index; null if it says what no run says. */
  function summaryIn(text: string): Summary | null {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), summarySchema), text);
    if (!read.success) return null;
    parsed.set(text, read.output);
    return read.output;
  }

  /** A finished file does not change, so its summary is kept while its size and modification time stay the same. */
  async function keptSummary(id: string, file: string, { size, mtimeMs }: Stats): Promise<Summary> {
    const state = { id, bytes: size, changedMs: mtimeMs };
    const kept = index.get(state);
    const known = kept === undefined ? null : summaryIn(kept);
    if (known !== null) return known;
    const { summary, model } = await readRun(id, file, false);
    index.set(state, { entry: JSON.stringify(summary), values: runValues(model), facts: factsOf(model) });
    return summary;
  }

  async function entry(id: string, pinned = pinnedRuns()): Promise<RunEntry> {
    const file = runFile(home, id);
    const own = { ...readAnnotation(home, id), isBaseline: pinned.has(id) };
    const state = statSync(file);
    try {
      if (isLocked(runLockFile(home, file))) return { ...(await readRun(id, file, true)).summary, ...own };
      return { ...(await keptSummary(id, file, state)), ...own };
    } catch {
      return { ...unreadable(id, file), ...own };
    }
  }

  async function list(): Promise<readonly RunEntry[]> {
    const names = existsSync(home.runs) ? readdirSync(home.runs) : [];
    const ids = names
      // A link may be broken.
      .filter((name) => name.endsWith(runFileEnding) && existsSync(join(home.runs, name)))
      .map((name) => basename(name, runFileEnding));
    const pinned = pinnedRuns();
    const entries: RunEntry[] = [];
    // A run may be deleted while the list is read.
    for (const id of ids.sort().reverse()) if (existsSync(runFile(home, id))) entries.push(await entry(id, pinned));
    index.keepOnly(new Set(ids));
    return entries;
  }

  /** Oldest first. */
  async function runsOf({ name, size }: ExperimentRuns): Promise<readonly RunEntry[]> {
    return (await list())
      .filter((one) => one.status === 'complete' && one.name === name && one.size === size)
      .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  }

  /** The runs that were listed, with their values in the index. */
  async function keptOf(ids: readonly string[]): Promise<ReturnType<typeof index.history>> {
    const kept = index.history(ids);
    if (kept.runs.length === ids.length) return kept;
    // The file of the index may have been lost since the list was read.
    await list();
    return index.history(ids);
  }

  async function history({ name, size, last, since }: HistoryRequest): Promise<History> {
    const all = await runsOf({ name, size });
    const late = since === null ? all : all.filter(({ startedAt }) => Date.parse(startedAt) >= Date.parse(since));
    const shown = last === null ? late : late.slice(-last);
    const { runs, series } = await keptOf(shown.map(({ id }) => id));
    const entries = new Map(shown.map((one) => [one.id, one]));
    return historyOf({
      ...{ name, size, olderRuns: all.length - shown.length, series },
      runs: runs.map(({ id, facts }) => {
        const { startedAt, grade, title, isBaseline } = entries.get(id)!;
        return { id, startedAt, grade: grade?.level ?? null, title, isBaseline, facts };
      }),
    });
  }

  async function times(asked: ExperimentRuns): Promise<readonly TimesOfRuns[]> {
    const { runs, series } = await keptOf((await runsOf(asked)).map(({ id }) => id));
    return series.flatMap(({ label, target, work, quantity, unit, points }): readonly TimesOfRuns[] =>
      unit === 'ms'
        ? [{ label, target, work, quantity, runs: points.map(({ run, value }) => ({ id: runs[run]!.id, value })) }]
        : [],
    );
  }

  return { entry: (id) => entry(id), list, history, times };
}

/** Kinds of records that tell how far a run came. A run that is going on is read often, and has no grade yet. */
const recordsOfProgress = ['target', 'trial', 'result', 'enough', 'end', 'resumed'] as const;

/** Reads a run file. Throws 'badInput' where it is not one. */
async function readRun(
  id: string,
  file: string,
  live: boolean,
): Promise<{ readonly summary: Summary; readonly model: RunModel }> {
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
  const summary: Summary = {
    ...runState(model),
    id,
    name: plan.experiment.name,
    size: chosenSize(plan.experiment),
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
  return { summary, model };
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
