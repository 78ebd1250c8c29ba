import { describe, expect, it } from 'vitest';
import { ratios } from '#analysis/compare/compare.ts';
import { meanRatios } from '#analysis/compare/mean-ratios.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import { type FixtureOptions, fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { pictureOf } from '#presentation/charts/picture/picture.fixture.ts';
import type { PictureCell } from '#presentation/charts/picture/picture-rows.ts';
import { toCsv } from '#presentation/tables/shared/csv.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { reportOf } from './results.fixture.ts';

const plain = (text: string) => text.replaceAll(/\u00a0/g, ' ');

function read(
  options: FixtureOptions = {},
  change: (record: JournalRecord) => readonly JournalRecord[] = (record) => [record],
): RunModel {
  const reader = createRunReader();
  for (const record of fixtureJournal({ connections: [1], repeats: 6, ...options }))
    for (const one of change(record)) reader.add(one);
  return reader.model();
}

const model = read();
const baseline = { target: 'PostgreSQL' };
const prepared = 'method=prepared connections=1';

/** The fourth repeat of a cell takes twice as long as before. */
const slowRepeat = (record: JournalRecord): readonly JournalRecord[] =>
  record.record === 'result' && record.result.repeat === 4 && record.result.target === 'SQLite'
    ? [{ ...record, result: { ...record.result, elapsedMs: record.result.elapsedMs * 2 } }]
    : [record];

describe('a ratio', () => {
  it('explains its interval, and names the number of repeats that would narrow it', () => {
    const of = (run: RunModel) => ratios(run, baseline).find(({ target }) => target === 'SQLite')!;
    expect(of(model)).toMatchObject({ method: 'bootstrap', ratio: { n: 6 } });
    expect(of(read({ repeats: 3 }))).toMatchObject({ method: 'welch', ratio: { n: 3 } });
    expect(of(read({ repeats: 1 })).repeatsNeeded).toBeNull();
    // Repeats of the fixture scatter by 3 % on both sides.
    expect(of(model).repeatsNeeded!).toBeGreaterThanOrEqual(2);
    expect(of(model).repeatsNeeded!).toBeLessThan(20);
    expect(of(read({}, slowRepeat)).repeatsNeeded!).toBeGreaterThan(50);
  });

  it('has these in the text, the table, and the numbers behind the chart', () => {
    const wide = read({}, slowRepeat);
    expect(renderText(wide)).toContain('interval of a ratio: studentised bootstrap');
    expect(renderText(read({ repeats: 3 }))).toContain('Welch’s t on logarithms of the means');
    const csv = toCsv(pictureOf(wide, { baseline }).table);
    expect(csv.split('\r\n')[0]).toBe(
      'variant,target,rows/s,low,high,ratio,ratio low,ratio high,verdict,interval by,repeats for ±5 %,repeats,outliers,client-bound,retries,given up,retry overhead (share of client time)',
    );
    expect(csv).toMatch(/multiRow.*,SQLite,.*,bootstrap,\d+,/);
  });
});

describe('the geometric mean', () => {
  it('is over the variants that both have, against a target only', () => {
    const [sqlite, nothing] = meanRatios(model, baseline);
    // SQLite has no bulk load, so two of three variants count.
    expect(sqlite).toMatchObject({ target: 'SQLite', variants: 2, verdict: 'faster' });
    expect(nothing).toMatchObject({ target: 'No-op engine', variants: 3 });
    const both = ratios(model, baseline).filter(({ target }) => target === 'SQLite');
    const product = both.reduce((all, { ratio }) => all * ratio.value, 1);
    expect(sqlite!.ratio.value).toBeCloseTo(Math.sqrt(product), 1);
    expect(meanRatios(model, { variant: prepared })).toEqual([]);
    expect(meanRatios(model, { variant: prepared, target: 'PostgreSQL' })).toEqual([]);
  });

  it('is in the text and at the foot of the table', () => {
    expect(renderText(model, { baseline })).toMatch(
      /SQLite overall: .*(?:faster|slower) \([\d.]+–[\d.]+(?:×|\s%)\), geometric mean of 2 variants/,
    );
    expect(reportOf(model, false, baseline)).toContain('of the ratios of the 2 variants that both targets have');
  });
});

describe('an outlying repeat', () => {
  const away = read({}, slowRepeat);

  it('is kept, marked with its value, and reported', () => {
    const cell = away.cells.find(({ target, variant }) => target === 'SQLite' && variant === prepared)!;
    expect(cell.outliers).toMatchObject([{ repeat: 4 }]);
    expect(cell.outliers[0]!.score).toBeLessThan(-3.5);
    expect(cell.rowsPerSecond!.n).toBe(6);
    expect(cell.outliers[0]!.value).toBeLessThan(cell.rowsPerSecond!.value);

    const picture = pictureOf(away, { options: { view: 'chart' } });
    expect(picture.note).toContain('× marks an outlier among the repeats of a cell; it counts in the mean.');
    expect(toCsv(picture.table)).toMatch(/\(repeat 4\)/);
    const hit = picture.scene!.hits.find((one) => one.cell?.target === 'SQLite' && one.cell.variant === prepared)!;
    expect((hit.cell as PictureCell).outliers).toEqual([cell.outliers[0]!.value]);
    const caveat = away.caveats.find(({ title }) => title === 'An outlying repeat')!;
    expect(plain(caveat.text)).toMatch(/^1 of 6 repeats lies far from the others: .* in repeat 4 \(score −\d/);
  });

  it('is not seen where there is none, nor in fewer than five', () => {
    expect(pictureOf(model).note).not.toContain('far from');
    const four = read({ repeats: 4 }, slowRepeat);
    expect(four.cells.every(({ outliers }) => outliers.length === 0)).toBe(true);
  });
});

describe('a trial within itself', () => {
  /** Rows of PostgreSQL's slow trials by second. */
  const shaped = (rate: (second: number) => number) =>
    read({ repeats: 2 }, (record) => {
      if (record.record !== 'snapshot') return [record];
      const { snapshot } = record;
      const factor = rate(snapshot.atMs / 1_000);
      const { counts } = snapshot;
      const scaled = { ...counts, rows: counts.rows * factor, calls: counts.calls * factor };
      return [{ ...record, snapshot: { ...snapshot, counts: scaled } }];
    });
  const report = (run: RunModel) => plain(reportOf(run));

  it('is called unsteady if its trials decay, and the report has the details of each trial', () => {
    const decaying = shaped((second) => Math.exp(-second / 25));
    expect(decaying.caveats.filter(({ title }) => title === 'Not steady')).toMatchObject([
      { cell: { variant: prepared, target: 'PostgreSQL' } },
    ]);
    expect(report(decaying)).toContain('Within the trials');
    expect(model.caveats.map(({ title }) => title)).not.toContain('Not steady');
  });

  it('has its changes in words', () => {
    const step = shaped((second) => (second <= 15 ? 1 : 0.5));
    expect(report(step)).toMatch(/At 15\.0 s [\d.]+k → [\d.]+k rows\/s \(−\d\d\.\d %\)/);
  });
});

describe('a run that had enough', () => {
  const ended = (reason: 'narrow' | 'budget') =>
    read({ repeats: 6 }, (record) => {
      if (record.record === 'header') {
        const measure = { ...record.plan.measure, repeats: { min: 3, max: 6, relativeMargin: 0.05 } };
        return [{ ...record, plan: { ...record.plan, measure } }];
      }
      if (record.record === 'result' && record.result.repeat > 4) return [];
      if (record.record === 'trial' && record.trial.repeat > 4) return [];
      if (record.record !== 'end') return [record];
      const cells = [{ variant: prepared, target: 'SQLite', of: 'ratio' as const, halfWidth: 0.041 }];
      const precision = { round: 4, relativeMargin: 0.05, cells, roundsMore: reason === 'narrow' ? 0 : 3 };
      return [{ record: 'enough', at: record.at, reason, precision }, record];
    });

  it('has no unneeded trials, and explains its end', () => {
    const run = ended('narrow');
    expect(run.trials.every(({ trial, result }) => trial.repeat <= 4 && result !== null)).toBe(true);
    expect(plain(renderText(run))).toContain(
      '4 repeats were enough: every interval is within ± 5.0 %. The widest, of the ratio of prepared · Connections: 1 on SQLite, is ± 4.1 %.',
    );
    expect(run.caveats.map(({ title }) => title)).not.toContain('Intervals wider than wanted');
  });

  it('warns where it was not the intervals that ended it, without names in an anonymous report', () => {
    const run = ended('budget');
    expect(run.caveats.map(({ title }) => title)).toContain('Intervals wider than wanted');
    const anonymous = reportOf(run, true);
    expect(anonymous).toContain('another round would have passed the budget');
    expect(anonymous).not.toContain('SQLite');
  });
});
