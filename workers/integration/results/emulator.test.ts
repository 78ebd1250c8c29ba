import { expect, it } from 'vitest';
import { compareRuns } from '#analysis/compare/compare-runs.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import { createEmulatorNames, emulatorName } from '#analysis/run-model/emulator.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import type { Chart } from '#presentation/charts/kit/chart.ts';
import { cssTheme } from '#presentation/charts/kit/theme.ts';
import { latencyByPercentile } from '#presentation/charts/latency-charts.ts';
import { pictureOf } from '#presentation/charts/picture/picture.fixture.ts';
import { runTimeline } from '#presentation/charts/run-timeline.ts';
import { clientShares } from '#presentation/charts/share-chart.ts';
import { throughputOverTime } from '#presentation/charts/time-panels.ts';
import { anonymise } from '#presentation/report/anonymise.ts';
import { toCsv } from '#presentation/tables/shared/csv.ts';
import { renderComparison, renderText } from '#presentation/terminal/run-text.ts';
import { answerOf } from '#presentation/text/answer.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { renderSvg, reportOf, targets } from './results.fixture.ts';

const name = 'ora-staging';

/** The fixture's run, with its second target served by an emulator. */
const journal = (served: string | null = 'a mirror over PostgreSQL'): readonly JournalRecord[] =>
  [...fixtureJournal({ connections: [1] })].map((written) => {
    const renamed = JSON.parse(
      JSON.stringify(written)
        .replaceAll(/(?<!"label":)"SQLite"/g, `"${name}"`)
        .replaceAll('1 on SQLite', `1 on ${name}`),
    ) as JournalRecord;
    return targets(
      ({ fingerprint, ...target }) => ({ ...target, fingerprint: fingerprint && { ...fingerprint, emulator: served } }),
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

const unlabelled = new RegExp(`${name}(?! \\(emulator\\))`);
const model = read();
const charts: readonly Chart[] = [
  throughputOverTime(model, cssTheme),
  latencyByPercentile(model, cssTheme),
  clientShares(model, cssTheme),
  runTimeline(model, cssTheme),
];

it('an emulator is called one in every cell, trial, chart, table, report and export', () => {
  const shown = [
    pictureOf(model).svg,
    toCsv(pictureOf(model, { baseline: { target: 'PostgreSQL' } }).table),
    ...charts.flatMap((chart) => [renderSvg(chart), toCsv(chart.data)]),
    renderText(model),
    renderComparison(model, model, compareRuns(model, model), ''),
    reportOf(model),
    JSON.stringify({ ...model, yaml: '' }),
  ];
  expect(shown.map((text) => unlabelled.exec(text)?.[0] ?? null)).toEqual(shown.map(() => null));
  expect(charts.filter((chart) => toCsv(chart.data).includes(`${name} (emulator)`))).toHaveLength(charts.length);
  expect(renderText(model)).toContain(`${name} (emulator)`);
  expect(model.caveats.map(({ title }) => title)).toContain('An emulator, not the product');
});

it('the same target without an emulator keeps its name', () => {
  expect(JSON.stringify(read(journal(null)))).not.toContain('(emulator)');
});

it('an anonymised export still says which target is an emulator, and not of what', () => {
  const hidden = anonymise(model);
  const text = JSON.stringify(hidden);
  expect(hidden.plan.targets.map((target) => target.name)).toEqual(['Target A', 'Target B (emulator)', 'Target C']);
  expect(text).not.toMatch(/ora-staging|mirror|SQLite/i);
  expect(text).not.toMatch(/Target B(?! \(emulator\))/);
});

it('is no contender: no sentence of the answer names it, and ratios do not refer to it by themselves', () => {
  for (const baseline of [baselineOf(model), { target: 'PostgreSQL' }, { target: emulatorName(name) }, {}])
    for (const line of answerOf(model, baseline).sentences) expect(line).not.toContain(name);
  const first = { ...model, plan: { ...model.plan, targets: model.plan.targets.toReversed() } };
  expect(baselineOf(first).target).not.toBe(emulatorName(name));
});

it('a run of nothing but an emulator has nothing to say of a product', () => {
  const alone = { ...model, cells: model.cells.filter(({ target }) => target === emulatorName(name)) };
  const only = 'Only an emulator has results: its numbers say nothing about the product.';
  expect(answerOf(alone, {}).sentences).toEqual([only]);
});

it('records told one by one carry the name from the moment on that it is known', () => {
  const labels = createEmulatorNames();
  const results = journal()
    .map(labels.read)
    .filter((record) => record.record === 'result');
  expect(results.map(({ result }) => result.target)).toContain(emulatorName(name));
  expect(unlabelled.test(JSON.stringify(results))).toBe(false);
});

it('a name that says it already is not said twice', () => {
  expect(emulatorName('oracle-emulator')).toBe('oracle-emulator');
});
