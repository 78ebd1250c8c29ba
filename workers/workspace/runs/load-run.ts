import { createRunReader } from '#analysis/journal/read-run.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { isLocked } from '#platform/file-lock.ts';
import type { Home } from '#platform/paths.ts';
import { runLockFile } from './journal-file.ts';
import { readJournal } from './journal-reader.ts';

/** Reads a run file into its model, with little memory however long the file is. */
export async function loadRun(home: Home, file: string): Promise<RunModel> {
  const reader = createRunReader();
  for await (const record of readJournal(file)) reader.add(record);
  return reader.model({ live: isLocked(runLockFile(home, file)) });
}
