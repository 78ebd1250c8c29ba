import { existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { measuredSame } from '#analysis/compare/measured-same.ts';
import { runState } from '#analysis/compare/run-state.ts';
import { gradeOf } from '#analysis/grade/grade.ts';
import { gradeReason } from '#analysis/grade/grade-text.ts';
import { historyOf } from '#analysis/history/history.ts';
import { factsOf, type RunFacts } from '#analysis/history/run-facts.ts';
import { runValues } from '#analysis/history/run-values.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { chosenSize } from '#experiment/schema/sizes.ts';
import { DynoError } from '#model/error.ts';
import { isLocked } from '#platform/file-lock.ts';
import type { Home } from '#platform/paths.ts';
import type { History } from '#protocol/history.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { noAnnotation, type RunAnnotation } from '#protocol/run-annotation.ts';
import type { RunsAlike, TimesOfRuns } from '#protocol/runs-alike.ts';
import { runFile, runFileEnding, runLockFile } from './journal-file.ts';
import { readJournal } from './journal-reader.ts';
import { pinnedBaselines } from './pinned-baselines.ts';
import { annotationFile, readAnnotation } from './run-annotations.ts';
import { cellsOf } from './run-cells.ts';
import { openRunIndex } from './run-index.ts';

/** The entries of the list of runs. Reading them takes as long as the run files are large (runs-thread.ts). */
interface RunEntries {
  /** Newest first. */
  list(): Promise<readonly RunEntry[]>;
  /** The entry of one run, whose file exists. */
  entry(id: string): Promise<RunEntry>;
  history(asked: HistoryRequest): Promise<History>;
  /** `like`: the id of a run of the list, or the facts of a run. */
  alike(like: string | RunFacts): Promise<RunsAlike>;
}

/** The complete runs of the experiment with this name and size. */
interface ExperimentRuns {
  readonly name: string;
  readonly size: string | null;
}

/** The runs of a history. */
export interface HistoryRequest extends ExperimentRuns {
  /** The largest number of runs, of which the latest are taken; null: all. */
  readonly last: number | null;
  /** The earliest time of a run's start (ISO 8601); null: any. */
  readonly since: string | null;
  /** The latest time of a run's start (ISO 8601); absent: any. */
  readonly until?: string;
}

/** The facts in a run file, without facts in other files. */
type Summary = Omit<RunEntry, keyof RunAnnotation | 'isBaseline'>;

/** Opens the entries of the runs in a home, with the index of the files that were read before. */
export function openRunEntries(home: Home): RunEntries {
  const index = openRunIndex(home.runIndex);
  /** The summaries that this process has read, by the ids of their runs. */
  const known = new Map<string, { readonly bytes: number; readonly changedMs: number; readonly summary: Summary }>();

  const pinnedRuns = (): ReadonlySet<string> => new Set(pinnedBaselines(home).values());

  /** A finished file does not change, so its summary is kept while its size and modification time stay the same. */
  async function keptSummary(id: string, file: string, { size: bytes, mtimeMs: changedMs }: Stats): Promise<Summary> {
    const own = known.get(id);
    if (own?.bytes === bytes && own.changedMs === changedMs) return own.summary;
    const kept = index.get({ id, bytes, changedMs });
    const summary = kept === undefined ? await indexed(id, file, { bytes, changedMs }) : (JSON.parse(kept) as Summary);
    known.set(id, { bytes, changedMs, summary });
    return summary;
  }

  async function indexed(id: string, file: string, state: { readonly bytes: number; readonly changedMs: number }) {
    const { summary, model } = await readRun(id, file, false);
    const run = { entry: JSON.stringify(summary), values: runValues(model), facts: factsOf(model) };
    index.set({ id, ...state }, run);
    return summary;
  }

  async function entryOf(id: string, state: Stats, isGoingOn: boolean): Promise<Summary> {
    const file = runFile(home, id);
    try {
      return isGoingOn ? (await readRun(id, file, true)).summary : await keptSummary(id, file, state);
    } catch {
      return unreadable(id, file);
    }
  }

  async function list(): Promise<readonly RunEntry[]> {
    const names = new Set(namesIn(home.runs));
    const locks = new Set(namesIn(home.state));
    const pinned = pinnedRuns();
    const entries: RunEntry[] = [];
    const ids: string[] = [];
    const all = [...names].filter((name) => name.endsWith(runFileEnding)).map((name) => basename(name, runFileEnding));
    for (const id of all.sort().reverse()) {
      const file = runFile(home, id);
      // A link may be broken, and a run may be deleted while the list is read.
      const state = statSync(file, { throwIfNoEntry: false });
      if (state === undefined) continue;
      ids.push(id);
      const lock = runLockFile(home, file);
      const summary = await entryOf(id, state, locks.has(basename(lock)) && isLocked(lock));
      const annotation = names.has(basename(annotationFile(home, id))) ? readAnnotation(home, id) : noAnnotation;
      entries.push({ ...summary, ...annotation, isBaseline: pinned.has(id) });
    }
    index.keepOnly(new Set(ids));
    return entries;
  }

  /** Oldest first. */
  async function runsOf({ name, size }: ExperimentRuns): Promise<readonly RunEntry[]> {
    return (await list())
      .filter((one) => one.status === 'complete' && one.name === name && one.size === size)
      .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  }

  /** Reads runs that were listed from the index. */
  async function kept<Read>(ids: readonly string[], read: () => Read, count: (read: Read) => number): Promise<Read> {
    const first = read();
    if (count(first) === ids.length) return first;
    // The file of the index may have been lost since the list was read.
    known.clear();
    await list();
    return read();
  }
  const historyOfRuns = (ids: readonly string[]) =>
    kept(
      ids,
      () => index.history(ids),
      ({ runs }) => runs.length,
    );
  const factsOfRuns = (ids: readonly string[]) =>
    kept(
      ids,
      () => index.facts(ids),
      ({ length }) => length,
    );

  async function history({ name, size, last, since, until }: HistoryRequest): Promise<History> {
    const all = await runsOf({ name, size });
    const early = until === undefined ? all : all.filter(({ startedAt }) => Date.parse(startedAt) <= Date.parse(until));
    const late = since === null ? early : early.filter(({ startedAt }) => Date.parse(startedAt) >= Date.parse(since));
    const shown = last === null ? late : late.slice(-last);
    const { runs, series } = await historyOfRuns(shown.map(({ id }) => id));
    const entries = new Map(shown.map((one) => [one.id, one]));
    return historyOf({
      ...{ name, size, olderRuns: early.length - shown.length, series },
      runs: runs.map(({ id, facts }) => {
        const { startedAt, grade, title, isBaseline } = entries.get(id)!;
        return { id, startedAt, grade: grade?.level ?? null, title, isBaseline, facts };
      }),
    });
  }

  async function alike(like: string | RunFacts): Promise<RunsAlike> {
    const facts = typeof like === 'string' ? (await factsOfRuns([like]))[0]?.facts : like;
    if (facts === undefined) return { ids: [], times: [] };
    const { experiment } = facts.plan;
    const own = (await runsOf({ name: experiment.name, size: chosenSize(experiment) })).map(({ id }) => id);
    const ids = (await factsOfRuns(own)).filter((one) => measuredSame(facts, one.facts)).map(({ id }) => id);
    const { runs, series } = index.history(ids);
    return {
      ids,
      times: series.flatMap(({ label, target, work, quantity, unit, points }): readonly TimesOfRuns[] =>
        unit === 'ms'
          ? [{ label, target, work, quantity, runs: points.map(({ run, value }) => ({ id: runs[run]!.id, value })) }]
          : [],
      ),
    };
  }

  return {
    async entry(id) {
      const file = runFile(home, id);
      const summary = await entryOf(id, statSync(file), isLocked(runLockFile(home, file)));
      return { ...summary, ...readAnnotation(home, id), isBaseline: pinnedRuns().has(id) };
    },
    list,
    history,
    alike,
  };
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

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
