import { constants, copyFileSync, existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { RunFacts } from '#analysis/history/run-facts.ts';
import { DynoError } from '#model/error.ts';
import { isLocked } from '#platform/file-lock.ts';
import type { Home } from '#platform/paths.ts';
import type { History } from '#protocol/history.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import type { AnnotationChange } from '#protocol/run-annotation.ts';
import type { RunsAlike } from '#protocol/runs-alike.ts';
import { answeringThread } from '../library/thread-answers.ts';
import { moveToTrash, restoreFromTrash } from '../library/trash.ts';
import { isRunId, runFile, runLockFile } from './journal-file.ts';
import { headerOf } from './journal-reader.ts';
import { pinBaseline } from './pinned-baselines.ts';
import { annotationFile, changeAnnotation } from './run-annotations.ts';
import type { HistoryRequest } from './run-entries.ts';
import type { RunEntriesRequest } from './runs-thread.ts';

/** The runs in Dyno's home. Ids are the runs' own; the page never sees a path. */
export interface Runs {
  /** Newest first. */
  list(): Promise<readonly RunEntry[]>;
  /** The history of an experiment over its complete runs. */
  history(of: HistoryRequest): Promise<History>;
  /** The same as JSON. */
  historyText(of: HistoryRequest): Promise<string>;
  /**
   * The complete runs of an experiment that measured the same as one run. `like`: the id of a run of the list, or the
   * facts of a run.
   */
  alike(like: string | RunFacts): Promise<RunsAlike>;
  /** The run's file. Throws 'badInput' where there is none. */
  file(id: string): string;
  has(id: string): boolean;
  /** True if a process is writing it now. */
  isLive(id: string): boolean;
  /**
   * Changes the annotation of a run, or its place as the baseline of its experiment. `tagsOf`: makes the new tags from
   * the present ones, so that two processes that add tags lose none. Throws as `file` does.
   */
  annotate(
    id: string,
    change: AnnotationChange,
    tagsOf?: (present: readonly string[]) => readonly string[],
  ): Promise<void>;
  delete(id: string): { readonly undo: string };
  restore(undo: string): void;
  /** Copies a run file into the home after reading its header. */
  import(file: string): Promise<RunEntry>;
}

/** Reads the run files of all homes of this process, so that neither the window nor a terminal waits for them. */
const reading = answeringThread<RunEntriesRequest, unknown>({
  file: new URL('./runs-thread.ts', import.meta.url),
  what: 'Reading the runs',
  limitMs: 600_000,
  hint: 'Move large run files to another folder; they can be opened from there.',
});

export function openRuns(home: Home): Runs {
  const fileOf = (id: string): string => {
    const file = runFile(home, id);
    // The name of a file that was renamed, or restored beside another one, differs from the name of its run.
    if (!/^[\w-]+$/.test(id) || !existsSync(file))
      throw new DynoError('badInput', 'This run does not exist any more.', { hint: 'Look at the list again.' });
    return file;
  };
  const isLive = (id: string): boolean => isLocked(runLockFile(home, runFile(home, id)));

  return {
    list: () => reading.ask({ home, ask: 'list' }) as Promise<readonly RunEntry[]>,
    history: (of) => reading.ask({ home, ask: 'history', of }) as Promise<History>,
    historyText: (of) => reading.ask({ home, ask: 'historyText', of }) as Promise<string>,
    alike: (like) => reading.ask({ home, ask: 'alike', like }) as Promise<RunsAlike>,
    file: fileOf,
    has: (id) => isRunId(id) && existsSync(runFile(home, id)),
    isLive,
    async annotate(id, { isBaseline, ...change }, tagsOf) {
      const file = fileOf(id);
      if (Object.keys(change).length > 0 || tagsOf)
        changeAnnotation(home, id, ({ tags }) => ({ ...change, ...(tagsOf && { tags: tagsOf(tags) }) }));
      if (isBaseline !== undefined) pinBaseline(home, (await headerOf(file)).plan.experiment.name, id, isBaseline);
    },
    delete(id) {
      const file = fileOf(id);
      if (isLive(id)) throw new DynoError('badInput', 'This run is going on.', { hint: 'Cancel it first.' });
      return { undo: moveToTrash(home, file, annotationFile(home, id)) };
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
      return (await reading.ask({ home, ask: 'entry', id: header.runId })) as RunEntry;
    },
  };
}
