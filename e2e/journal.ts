import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';

/** A trial's outcome as a flat row, for assertions. */
export interface TrialRow {
  readonly target: string;
  readonly status: TrialResult['status'];
  readonly rows: number;
  readonly rowsPerSecond: number | null;
  readonly error: string | null;
}

/** Ids of the runs in this home, oldest first, because ids begin with the start time. */
export async function runIds(home: string): Promise<readonly string[]> {
  const names = await readdir(join(home, 'runs')).catch(() => []);
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
}

/** A run's records; a torn last line is left out. For runs that fit into memory. */
export async function readRun(home: string, runId: string): Promise<readonly JournalRecord[]> {
  const text = await readFile(join(home, 'runs', runId + ending), 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalRecord);
}

export const trialRows = (records: readonly JournalRecord[]): readonly TrialRow[] =>
  records.flatMap((record) => (record.record === 'result' ? [toRow(record.result)] : []));

const toRow = (result: TrialResult): TrialRow => ({
  target: result.target,
  status: result.status,
  rows: result.totals.rows,
  rowsPerSecond: result.status === 'ok' && result.elapsedMs > 0 ? (result.totals.rows / result.elapsedMs) * 1000 : null,
  error: result.error?.message ?? null,
});

const ending = '.dyno-run';
