import { expect, it } from 'vitest';
import { ratios } from '#analysis/compare/compare.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { createStandInNames, standInName } from '#analysis/run-model/stand-in.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { latencyByPercentile } from '#presentation/charts/latency-charts.ts';
import type { Chart } from '#presentation/charts/plot/chart.ts';
import { cssTheme } from '#presentation/charts/plot/theme.ts';
import { runCourse } from '#presentation/charts/run-course.ts';
import { clientShares } from '#presentation/charts/share-chart.ts';
import { ratioChart, throughputByCell } from '#presentation/charts/throughput-chart.ts';
import { throughputOverTime } from '#presentation/charts/time-panels.ts';
import { anonymise } from '#presentation/report/anonymise.ts';
import { toCsv } from '#presentation/tables/shared/csv.ts';
import { renderComparison, renderText } from '#presentation/terminal/run-text.ts';
import { headlines } from '#presentation/text/headlines.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { renderSvg, reportOf, targets } from './results.fixture.ts';

const name = 'ora-staging';

/** The fixture's run, with its second target served by a stand-in. */
const journal = (served: string | null = 'a mirror over PostgreSQL'): readonly JournalRecord[] =>
  [...fixtureJournal({ connections: [1] })].map((written) => {
    const renamed = JSON.parse(
      JSON.stringify(written)
        .replaceAll(/(?<!"label":)"SQLite"/g, `"${name}"`)
        .replaceAll('1 on SQLite', `1 on ${name}`),
    ) as JournalRecord;
    return targets(
      ({ fingerprint, ...target }) => ({ ...target, fingerprint: fingerprint && { ...fingerprint, standIn: served } }),
      name,
    )(renamed);
  });

function read(records = journal()): RunModel {
  const reader = createRunReader();
  for (const record of records) {
    reader.add(record);
    // A window that looks at every moment sees the names change.
    if (record.record === 'target') reader.model({ live: true });
  }
  return reader.model();
}

const unlabelled = new RegExp(`${name}(?! \\(stand-in\\))`);
const model = read();
const charts: readonly Chart[] = [
  throughputByCell(model, cssTheme),
  ratioChart(model, ratios(model, { target: 'PostgreSQL' }), cssTheme),
  throughputOverTime(model, cssTheme),
  latencyByPercentile(model, cssTheme),
  clientShares(model, cssTheme),
  runCourse(model, cssTheme),
];

it('a stand-in is called one in every cell, trial, chart, table, report and export', () => {
  const shown = [
    ...charts.flatMap((chart) => [renderSvg(chart), toCsv(chart.data)]),
    renderText(model),
    renderComparison(model, model),
    reportOf(model),
    JSON.stringify({ ...model, yaml: '' }),
  ];
  expect(shown.map((text) => unlabelled.exec(text)?.[0] ?? null)).toEqual(shown.map(() => null));
  expect(charts.filter((chart) => toCsv(chart.data).includes(`${name} (stand-in)`))).toHaveLength(charts.length);
  expect(renderText(model)).toContain(`${name} (stand-in)`);
  expect(model.caveats.map(({ title }) => title)).toContain('A stand-in, not the product');
});

it('the same target without a stand-in keeps its name', () => {
  expect(JSON.stringify(read(journal(null)))).not.toContain('stand-in');
});

it('an anonymised export still says which target is a stand-in, and not of what', () => {
  const hidden = anonymise(model);
  const text = JSON.stringify(hidden);
  expect(hidden.plan.targets.map((target) => target.name)).toEqual(['Target A', 'Target B (stand-in)', 'Target C']);
  expect(text).not.toMatch(/ora-staging|mirror|SQLite/i);
  expect(text).not.toMatch(/Target B(?! \(stand-in\))/);
});

it('is no contender: no headline names it, and ratios do not refer to it by themselves', () => {
  for (const baseline of [baselineOf(model), { target: 'PostgreSQL' }, { target: standInName(name) }, {}])
    for (const line of headlines(model, baseline, 'rows/s')) expect(line).not.toContain(name);
  const first = { ...model, plan: { ...model.plan, targets: model.plan.targets.toReversed() } };
  expect(baselineOf(first).target).not.toBe(standInName(name));
});

it('a run of nothing but a stand-in has nothing to say of a product', () => {
  const alone = { ...model, cells: model.cells.filter(({ target }) => target === standInName(name)) };
  const only = 'Only a stand-in has results: its numbers say nothing about the product.';
  expect(headlines(alone, {}, 'rows/s')).toEqual([only]);
});

it('records told one by one carry the name from the moment on that it is known', () => {
  const labels = createStandInNames();
  const results = journal()
    .map(labels.read)
    .filter((record) => record.record === 'result');
  expect(results.map(({ result }) => result.target)).toContain(standInName(name));
  expect(unlabelled.test(JSON.stringify(results))).toBe(false);
});

it('a name that says it already is not said twice', () => {
  expect(standInName('oracle-stand-in')).toBe('oracle-stand-in');
});
