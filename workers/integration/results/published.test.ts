import { describe, expect, it } from 'vitest';
import { ratios } from '#analysis/compare/compare.ts';
import { publishedComparisons, publishedMarks } from '#analysis/compare/published.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Published } from '#experiment/schema/published.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { lightTheme } from '#presentation/charts/kit/theme.ts';
import { pictureOf } from '#presentation/charts/picture/picture.fixture.ts';
import type { PictureCell } from '#presentation/charts/picture/picture-rows.ts';
import { sweep } from '#presentation/charts/sweep-chart.ts';
import { anonymise } from '#presentation/report/anonymise.ts';
import { publishedTable } from '#presentation/tables/comparison/published-table.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { answerOf } from '#presentation/text/answer.ts';
import { publishedSentences } from '#presentation/text/published-text.ts';
import { modelOf } from './results.fixture.ts';

const measured = modelOf(fixtureJournal({ connections: [1, 4] }));

const withPublished = (published: readonly Published[], model: RunModel = measured): RunModel => ({
  ...model,
  plan: { ...model.plan, experiment: { ...model.plan.experiment, published: [...published] } },
});
const duel: Published = {
  source: 'A bet',
  year: 2011,
  of: 'seconds',
  baseline: { method: 'prepared', connections: 1 },
  values: [
    { label: 'a loop', value: 188 },
    { levels: { method: 'prepared', connections: 1 }, value: 60 },
    { levels: { method: 'prepared', connections: 4 }, value: 30 },
    { levels: { method: 'multiRow', connections: 4 }, value: 4 },
    { levels: { method: 'arrayBind', connections: 4 }, value: 2 },
  ],
};
const model = withPublished([duel]);
const rateOf = (variant: string, target: string) =>
  measured.cells.find((cell) => cell.variant === variant && cell.target === target)!.rowsPerSecond!.value;
const [slow, fast] = ['method=prepared connections=1', 'method=multiRow connections=4'];

describe('published figures', () => {
  it('are compared where variant and baseline were measured on the same contender', () => {
    const all = publishedComparisons(model);
    expect(all.map(({ cell, ratio }) => [cell.variant, cell.target, ratio])).toEqual([
      ['method=prepared connections=4', 'PostgreSQL', 2],
      ['method=prepared connections=4', 'SQLite', 2],
      [fast, 'PostgreSQL', 15],
      [fast, 'SQLite', 15],
    ]);
    const { here } = all[2]!;
    expect(here.value).toBeCloseTo(rateOf(fast, 'PostgreSQL') / rateOf(slow, 'PostgreSQL'), 1);
    expect(here.low!).toBeLessThan(here.value);
    expect(here.high!).toBeGreaterThan(here.value);
  });

  it('say nothing without their baseline', () => {
    const { baseline: _, ...alone } = duel;
    expect(publishedComparisons(withPublished([alone]))).toEqual([]);
    const without = measured.cells.filter(({ variant }) => variant !== slow);
    expect(publishedComparisons(withPublished([duel], { ...measured, cells: without }))).toEqual([]);
  });

  it('of one factor are compared at each level of the others', () => {
    const levels = (method: string) => ({ method });
    const one: Published = {
      ...{ source: 'A', of: 'ratio', baseline: levels('prepared') },
      values: [{ levels: levels('multiRow'), value: 6, bound: 'atLeast' }],
    };
    const on = publishedComparisons(withPublished([one])).filter(({ cell }) => cell.target === 'PostgreSQL');
    expect(on.map(({ cell, baseline }) => [cell.variant, baseline.variant])).toEqual([
      ['method=multiRow connections=1', slow],
      [fast, 'method=prepared connections=4'],
    ]);
    expect(publishedSentences(withPublished([one]))[0]).toContain('Published (A): more than 6.00× from');
  });

  it('may name a reference, which otherwise takes no part', () => {
    const reference = model.targets.find(({ descriptor }) => descriptor.reference)!.name;
    const one: Published = {
      ...{ source: 'A', of: 'seconds', baseline: { method: 'prepared', connections: 1 } },
      values: [
        { levels: { method: 'prepared', connections: 1 }, value: 24 },
        { levels: { method: 'prepared', connections: 1, target: reference }, value: 12 },
      ],
    };
    const all = publishedComparisons(withPublished([one]));
    expect(all.map(({ cell, baseline, ratio }) => [cell.target, baseline.target, ratio])).toEqual([
      [reference, 'PostgreSQL', 2],
      [reference, 'SQLite', 2],
    ]);
  });
});

describe('published figures in words and charts', () => {
  it('are one sentence for each source, of the value that is farthest from the baseline', () => {
    const here = publishedComparisons(model).find(({ cell }) => cell.variant === fast)!.here;
    const [sentence, ...more] = publishedSentences(model);
    expect(more).toEqual([]);
    expect(sentence).toContain(
      'Published 2011 (A bet): 15.0× from prepared · Connections: 1 to multiRow · Connections: 4; here on PostgreSQL',
    );
    expect(sentence).toContain(`${here.value.toPrecision(3)}×`);
    expect(renderText(model)).toContain(sentence!);
  });

  it('never become verdicts', () => {
    const baseline = baselineOf(model);
    expect(answerOf(model, baseline)).toEqual(answerOf(measured, baseline));
    expect(ratios(model, baseline)).toEqual(ratios(measured, baseline));
  });

  it('are ticks from where their baseline lies here, and never bars', () => {
    const marks = [...publishedMarks(model).values()].flat();
    const tick = marks.find(({ cell }) => cell.variant === fast && cell.target === 'SQLite')!;
    expect(tick.rate).toBeCloseTo(rateOf(slow, 'SQLite') * 15, 6);
    for (const { note } of [pictureOf(model), sweep(model, 'connections', lightTheme)])
      expect(note).toContain('Dashed marks show published 2011, other hardware');
    const { hits } = pictureOf(model, { options: { view: 'chart' } }).scene!;
    const drawn = hits.find(({ cell }) => cell?.variant === fast && cell.target === 'SQLite')!;
    expect((drawn.cell as PictureCell).published.map(({ value }) => value)).toContain(tick.rate);
    expect(drawn.spoken).toContain('published 2011: 15');
    expect(pictureOf(model).table).toEqual(pictureOf(measured).table);
    for (const { note } of [pictureOf(measured), sweep(measured, 'connections', lightTheme)])
      expect(note).not.toContain('Dashed');
  });

  it('are a table with every comparison', () => {
    const { columns, rows } = publishedTable(model);
    expect(rows).toHaveLength(4);
    const [from, to] = ['prepared · Connections: 1', 'multiRow · Connections: 4'];
    expect(rows[2]!.slice(0, 6)).toEqual(['A bet', 2011, from, to, 'PostgreSQL', 15]);
    expect(rows.every((row) => row.length === columns.length)).toBe(true);
  });

  it('keep no names in an anonymous report', () => {
    const told = withPublished([{ ...duel, source: 'PostgreSQL against SQLite', note: 'SQLite on a disk' }]);
    expect(publishedSentences(anonymise(told)).join(' ')).not.toMatch(/postgres|sqlite/i);
    expect(publishedComparisons(anonymise(told))).toHaveLength(4);
  });
});
