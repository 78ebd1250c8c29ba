import type { JournalRecord } from '#contract/journal.ts';
import { readJournal } from './journal-reader.ts';
import type { Run } from './run.ts';

const batchSize = 200;

export type OnRecords = (records: readonly JournalRecord[], upToDate: boolean) => void;

/** Sends the records of a run file from the beginning, in batches; the last one says that it is up to date. */
export async function replayRun(file: string, signal: AbortSignal, onRecords: OnRecords): Promise<void> {
  let batch: JournalRecord[] = [];
  for await (const record of readJournal(file)) {
    if (signal.aborted) return;
    batch.push(record);
    if (batch.length >= batchSize) {
      onRecords(batch, false);
      batch = [];
    }
  }
  if (!signal.aborted) onRecords(batch, true);
}

/** The same for a run of this process: what is in its file, then what is written from now on, nothing twice and nothing lost. */
export async function watchRun(run: Run, signal: AbortSignal, onRecords: OnRecords): Promise<void> {
  let caughtUp = false;
  const meanwhile: JournalRecord[] = [];
  const off = run.on('record', (record) => {
    if (caughtUp) onRecords([record], true);
    else meanwhile.push(record);
  });
  signal.addEventListener('abort', off, { once: true });
  // Everything announced so far is in the file after this, and everything announced later is in `meanwhile`.
  const written = run.recordCount;
  await run.flush();
  const before = run.recordsBefore;
  let read = 0;
  let batch: JournalRecord[] = [];
  for await (const record of readJournal(run.file)) {
    if (signal.aborted || read >= before + written) break;
    read++;
    batch.push(record);
    if (batch.length >= batchSize) {
      onRecords(batch, false);
      batch = [];
    }
  }
  if (signal.aborted) return;
  caughtUp = true;
  onRecords([...batch, ...meanwhile], true);
}
