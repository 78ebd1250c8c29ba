import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { dataSet } from '#presentation/data-set/data-set.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { writeDataSet } from './data-set-files.ts';

const formula = '=HYPERLINK("http://x","y")';

/** The run with a formula in an error. */
const withFormula = (record: JournalRecord): JournalRecord => {
  if (record.record !== 'result' || record.result.number !== 1) return record;
  const error = { kind: 'other', code: null, message: formula, hint: null, retryable: false } as const;
  return { ...record, result: { ...record.result, error } };
};

describe('a set of data', () => {
  const run: RunModel = readRun([...fixtureJournal({ connections: [1, 2], repeats: 2 })].map(withFormula));
  const baseline = baselineOf(run);
  const files = dataSet(run, baseline);
  const rowsOf = (name: string) => [...files.find((file) => file.name === name)!.rows()];
  const opened = new DisposableStack();
  afterAll(() => opened.dispose());
  const folders = { csv: '', parquet: '' };

  beforeAll(async () => {
    for (const format of ['csv', 'parquet'] as const) {
      folders[format] = temporaryFolder(opened);
      await writeDataSet(run, baseline, folders[format], format);
    }
  });

  it('has the seconds of all trials, the counters of servers, and texts', () => {
    expect(rowsOf('trials').length).toBe(run.trials.length);
    expect(rowsOf('cells').length).toBe(run.cells.length);
    expect(rowsOf('seconds').length).toBe(run.trials.reduce((sum, { series }) => sum + series.atMs.length, 0));
    const [first] = run.trials.filter(({ trial }) => trial.target === 'PostgreSQL');
    const { wal_bytes } = first!.series.probes;
    const counted = rowsOf('server-counters').filter(([trial]) => trial === first!.trial.number);
    expect(counted.filter((row) => row.includes('perSecond')).map((row) => row.slice(-6))).toEqual(
      wal_bytes!.perSecond.map((value, i) => [
        'wal_bytes',
        'WAL written',
        'perSecond',
        'bytes',
        wal_bytes!.atMs[i],
        value,
      ]),
    );
    expect(rowsOf('findings').length).toBeGreaterThan(10);
    expect(rowsOf('settings').length).toBeGreaterThan(3);
  });

  it('is the same as CSV and as Parquet, where columns have types', async () => {
    for (const { name, columns, rows } of files) {
      const csv: readonly (readonly string[])[] = parse(readFileSync(join(folders.csv, `${name}.csv`)), {});
      const parquet = await asyncBufferFromFile(join(folders.parquet, `${name}.parquet`));
      expect(csv[0]).toEqual(columns.map((column) => column.name));
      const { children } = parquetSchema(await parquetMetadataAsync(parquet));
      expect(children.map(({ element }) => [element.name, element.type])).toEqual(
        columns.map((column) => [
          column.name,
          { text: 'BYTE_ARRAY', whole: 'INT64', number: 'DOUBLE', yesNo: 'BOOLEAN' }[column.type],
        ]),
      );
      const values = [...rows()];
      expect(csv.slice(1).map((row) => row.map((field) => field.replace(/^'=/, '=')))).toEqual(
        values.map((row) => row.map((value) => (value === null ? '' : String(value)))),
      );
      const read = await parquetReadObjects({ file: parquet });
      expect(read.map((row) => columns.map((column) => plain(row[column.name])))).toEqual(values);
    }
  });

  it('has no formula in CSV', () => {
    const text = readFileSync(join(folders.csv, 'trials.csv'), 'utf8');
    expect(text).toContain(`"'=HYPERLINK(""http://x"",""y"")"`);
    expect(text).not.toMatch(/[,\n]"?[=@]/);
  });

  it('explains each column of each file', () => {
    for (const format of ['csv', 'parquet'] as const) {
      const readme = readFileSync(join(folders[format], 'README.md'), 'utf8');
      for (const { name, columns } of files) {
        expect(readme).toContain(`## ${name}.${format}`);
        for (const { about } of columns) expect(about).toMatch(/\.$/);
      }
      expect(readdirSync(folders[format]).toSorted()).toEqual(
        ['README.md', ...files.map(({ name }) => `${name}.${format}`)].toSorted(),
      );
    }
  });
});

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : (value ?? null));
