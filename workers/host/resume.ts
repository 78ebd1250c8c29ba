import { DynoError } from '#contract/error.ts';
import type { JournalRecord } from '#contract/journal.ts';
import type { TrialResult } from '#contract/measurement.ts';
import { readJournal } from './journal-reader.ts';

export interface Unfinished {
  readonly header: Extract<JournalRecord, { record: 'header' }>;
  /** The results that count; trials that were cancelled with the run are not among them. */
  readonly done: readonly TrialResult[];
}

/** What a run has done so far. Throws 'badInput' where nothing is left to do. */
export async function readUnfinished(file: string): Promise<Unfinished> {
  let header: Unfinished['header'] | null = null;
  const done = new Map<number, TrialResult>();
  for await (const record of readJournal(file)) {
    if (record.record === 'header') header = record;
    if (record.record === 'result' && record.result.status !== 'cancelled')
      done.set(record.result.number, record.result);
  }
  if (!header) throw new DynoError('badInput', `${file} has no header.`);
  if (done.size >= header.plan.trials.length)
    throw new DynoError('badInput', `All ${done.size} trials of this run are done: there is nothing to resume.`);
  return { header, done: [...done.values()] };
}
