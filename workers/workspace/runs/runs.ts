import { constants, copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { sizeTitle } from '#experiment/schema/sizes.ts';
import { DynoError } from '#model/error.ts';
import { isLocked } from '#platform/file-lock.ts';
import type { Home } from '#platform/paths.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import type { JournalRecord, TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { whole } from '#protocol/read-values.ts';
import { openKeptIndex } from '../kept-index.ts';
import { moveToTrash, restoreFromTrash } from '../library/trash.ts';
import { isRunId, runFile, runFileEnding, runLockFile } from './journal-file.ts';
import { headerOf, readJournal } from './journal-reader.ts';
import { cellsOf } from './run-cells.ts';
import { noteFile, readNote, writeNote } from './run-notes.ts';

/** The runs in Dyno's home. Ids are the runs' own; the page never sees a path. */
export interface Runs {
  /** Newest first. */
  list(): Promise<readonly RunEntry[]>;
  /** The run's file. Throws 'badInput' where there is none. */
  file(id: string): string;
  has(id: string): boolean;
  /** True if a process is writing it now. */
  isLive(id: string): boolean;
  /** Stores the user's note on a run; an empty one is removed. Throws as `file` does. */
  annotate(id: string, note: string): void;
  delete(id: string): { readonly undo: string };
  restore(undo: string): void;
  /** Copies a run file into the home after reading its header. */
  import(file: string): Promise<RunEntry>;
}

/** The facts in a run file, without facts in other files. */
type Summary = Omit<RunEntry, 'note' | 'status'> & { readonly status: 'complete' | 'cancelled' | 'interrupted' };

const summarySchema: v.GenericSchema<unknown, Summary> = v.object({
  id: v.string(),
  name: v.string(),
  size: v.nullable(v.string()),
  startedAt: v.string(),
  status: v.picklist(['complete', 'cancelled', 'interrupted']),
  trialsDone: whole,
  trialsPlanned: v.nullable(whole),
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
});

export function openRuns(home: Home): Runs {
  // A finished file does not change, so its summary is kept while size and modification time stay the same.
  const index = openKeptIndex(home.runList, summarySchema);

  const fileOf = (id: string): string => {
    const file = runFile(home, id);
    // The name of a file that was renamed, or restored beside another one, differs from the name of its run.
    if (!/^[\w-]+$/.test(id) || !existsSync(file))
      throw new DynoError('badInput', 'This run does not exist any more.', { hint: 'Look at the list again.' });
    return file;
  };
  const isLive = (id: string): boolean => isLocked(runLockFile(home, runFile(home, id)));
  const entryOf = async (id: string): Promise<RunEntry> => {
    const file = runFile(home, id);
    const note = readNote(home, id);
    const { size, mtimeMs } = statSync(file);
    try {
      if (isLive(id)) return { ...(await summarise(id, file)), status: 'running', note };
      const key = `${id} ${size} ${mtimeMs}`;
      return { ...(index.get(key) ?? index.set(key, await summarise(id, file))), note };
    } catch {
      return { ...unreadable(id, file), note };
    }
  };

  return {
    async list() {
      const names = existsSync(home.runs) ? readdirSync(home.runs) : [];
      const ids = names
        // A link may be broken.
        .filter((name) => name.endsWith(runFileEnding) && existsSync(join(home.runs, name)))
        .map((name) => basename(name, runFileEnding));
      const entries: RunEntry[] = [];
      for (const id of ids.sort().reverse()) entries.push(await entryOf(id));
      index.keep();
      return entries;
    },
    file: fileOf,
    has: (id) => isRunId(id) && existsSync(runFile(home, id)),
    isLive,
    annotate(id, note) {
      fileOf(id);
      writeNote(home, id, note);
    },
    delete(id) {
      const file = fileOf(id);
      if (isLive(id)) throw new DynoError('badInput', 'This run is going on.', { hint: 'Cancel it first.' });
      return { undo: moveToTrash(home, file, noteFile(home, id)) };
    },
    restore(undo) {
      restoreFromTrash(home, undo, home.runs);
    },
    async import(file) {
      const header = await headerOf(file);
      const target = runFile(home, header.runId);
      if (!isRunId(header.runId)) throw new DynoError('badInput', `${basename(file)} has no proper run id.`);
      if (existsSync(target)) throw new DynoError('badInput', 'This run is already in the list.');
      copyFileSync(file, target, constants.COPYFILE_EXCL);
      return entryOf(header.runId);
    },
  };
}

const sizeOf = ({ size, sizes }: Experiment): string | null => (sizes === undefined ? null : sizeTitle(size));

/** Reads a run file. Throws 'badInput' where it is not one. */
async function summarise(id: string, file: string): Promise<Summary> {
  let header: Extract<JournalRecord, { record: 'header' }> | null = null;
  let end: 'complete' | 'cancelled' | null = null;
  // If repeats may vary, trials of later rounds are not missing.
  let lastRound = Number.POSITIVE_INFINITY;
  const done = new Set<number>();
  const results = new Map<number, TrialResult>();
  const targets: TargetRecord[] = [];
  let durationMs = 0;
  let lastAt = 0;
  for await (const record of readJournal(file, ['target', 'result', 'enough', 'end', 'resumed'])) {
    if (record.record === 'header') {
      header = record;
      lastAt = Date.parse(record.at);
    } else if (record.record === 'result' || record.record === 'resumed') {
      // The time before a resume is a pause.
      if (record.record === 'result') durationMs += Math.max(0, Date.parse(record.at) - lastAt);
      lastAt = Date.parse(record.at);
    }
    if (record.record === 'target') targets.push(record.target);
    if (record.record === 'result') results.set(record.result.number, record.result);
    if (record.record === 'result' && record.result.status !== 'cancelled') done.add(record.result.number);
    else if (record.record === 'end') end = record.status;
    else if (record.record === 'enough') lastRound = record.precision.round;
    else if (record.record === 'resumed') {
      end = null;
      lastRound = Number.POSITIVE_INFINITY;
    }
  }
  if (!header) throw new DynoError('badInput', 'No header.');
  return {
    id,
    name: header.plan.experiment.name,
    size: sizeOf(header.plan.experiment),
    startedAt: header.at,
    status: end ?? 'interrupted',
    trialsDone: done.size,
    trialsPlanned: header.plan.measure.search
      ? end === 'complete'
        ? done.size
        : null
      : header.plan.trials.filter(({ repeat }) => repeat <= lastRound).length,
    targets: header.plan.targets.map((target) => target.name),
    bytes: statSync(file).size,
    durationMs,
    cells: cellsOf(header.plan, targets, [...results.values()]),
  };
}

function unreadable(id: string, file: string): Omit<RunEntry, 'note'> {
  const { size, mtime } = statSync(file);
  return {
    id,
    name: id,
    size: null,
    startedAt: mtime.toISOString(),
    status: 'unreadable',
    trialsDone: 0,
    trialsPlanned: 0,
    targets: [],
    bytes: size,
    durationMs: 0,
    cells: [],
  };
}
