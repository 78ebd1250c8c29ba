import { expect, test } from 'vitest';
import { madeJournal } from '#analysis/findings/shared/findings.fixture.ts';
import { readRun } from '#analysis/run-model/run.fixture.ts';
import { diskSecondOf, hostFactsOf, hostSecondOf } from '#analysis/server/host-seconds.fixture.ts';
import type { OperationName } from '#model/settings/vocabulary.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { growsByBytes, throughputOverBytes } from './bytes-chart.ts';
import { lightTheme } from './kit/theme.ts';

const seconds = [1_000, 800, 600, 400];
const valueBytes = { rows: 2_800, bytes: 2_800 * 36 };

/** A run whose disks write 500 times a second, 5,000 bytes each. */
function runOf(operation: OperationName, hasDisks = true) {
  const disks = [diskSecondOf({ writesPerSecond: 500, writtenBytesPerSecond: 2_500_000 })];
  const records = madeJournal({
    workload: { operation },
    repeats: 1,
    trial: () => ({ seconds, totals: { rows: 2_800 }, result: { valueBytes } }),
  });
  return readRun(
    [...records].flatMap((record): readonly JournalRecord[] => {
      if (record.record !== 'result' || !hasDisks) return [record];
      const trial = record.result.number;
      const host = hostFactsOf({ serverOf: [record.result.target] });
      return [
        { record: 'hosts', trial, hosts: [host], unmeasured: [] },
        ...[500, 1_500, 2_500].map(
          (atMs): JournalRecord => ({
            ...{ record: 'hostSecond', trial, host: host.name, atMs },
            second: hostSecondOf({ disks }),
          }),
        ),
        record,
      ];
    }),
  );
}

const figuresOf = (run: ReturnType<typeof runOf>) =>
  Map.groupBy(throughputOverBytes(run, lightTheme).data.rows, ([, , , figure]) => figure);

test('the falling rate stands over the bytes of the rows so far', () => {
  const own = figuresOf(runOf('insert')).get('rows/s')!;
  expect(own.map((row) => row.at(-1))).toEqual(seconds);
  const stored = own.map((row) => row.at(-2));
  expect(stored).toEqual([36_000, 64_800, 86_400, 100_800]);
});

test('bytes and operations of the disks stand on the same axis, between the seconds of the rate', () => {
  const figures = figuresOf(runOf('insert'));
  expect(figures.get('disks, writes/s')!.map((row) => row.slice(-2))).toEqual([
    [18_000, 500],
    [50_400, 500],
    [75_600, 500],
  ]);
  expect(figures.get('disks, written/s')!.map((row) => row.at(-1))).toEqual([2_500_000, 2_500_000, 2_500_000]);
  expect(figuresOf(runOf('insert', false)).has('disks, writes/s')).toBe(false);
});

test('nothing is drawn for reads, which do not fill the table', () => {
  const run = runOf('readByKey');
  expect(run.trials.some((view) => growsByBytes(run, view))).toBe(false);
  expect(throughputOverBytes(run, lightTheme).panels).toBe(0);
});
