import { beforeAll, expect, test, vi } from 'vitest';
import { findingsOf } from '#analysis/findings/find-findings.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { levelsYaml, usualLevels } from '#experiment/schema/levels.fixture.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { testHome } from './home.fixture.ts';
import { newTrustedRun, resumeTrusted, tryTrusted } from './trusted.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const levels = `${usualLevels}
    small: { tables: { sales: { rows: 50 } } }
    other: { statements: { search: { text: "SELECT id FROM {stores} WHERE id < 0 AND id = :day" } } }`;
const yamlOf = (repeats: number) =>
  levelsYaml(
    levels,
    `targets: [sqlite]\nbaseline: { search: as it is }\nmeasure: { until: { seconds: 0.3 }, repeats: ${repeats}, warmupSeconds: 0.1 }\n`,
  );

async function done() {
  const test = testHome();
  const run = await newTrustedRun({ home: test.home, yaml: yamlOf(2) });
  const { results } = collect(run);
  await run.start();
  return { test, run, results: results(), model: await loadRun(test.home, run.file) };
}

let finished: Awaited<ReturnType<typeof done>>;
beforeAll(async () => {
  if (!isSkipped('sqlite')) finished = await done();
  return () => finished?.test[Symbol.asyncDispose]();
});

const textsIn = (model: RunModel, level: string) =>
  model.trials
    .filter(({ trial }) => trial.variant === `search=${level}`)
    .flatMap(({ queryPlans }) =>
      queryPlans.flatMap(({ plan }) => plan?.steps.map(({ operator, index }) => `${operator} ${index}`) ?? []),
    );

test.skipIf(isSkipped('sqlite'))('each variant runs with the tables and texts of its level', () => {
  const { results, model } = finished;
  expect(results.map(({ status, error }) => error ?? status)).toEqual(results.map(() => 'ok'));
  const bytes = (level: string) => results.find(({ variant }) => variant === `search=${level}`)!.storedBytes!;
  expect(bytes('index').indexBytes).toBeGreaterThan(bytes('as it is').indexBytes);
  expect(bytes('small').tableBytes).toBeLessThan(bytes('as it is').tableBytes);
  expect(textsIn(model, 'index').join()).toMatch(/sales_i1/);
  expect(textsIn(model, 'as it is').join()).not.toMatch(/sales_i1/);
  expect(textsIn(model, 'rewritten')).not.toEqual(textsIn(model, 'as it is'));
});

test.skipIf(isSkipped('sqlite'))(
  'a variant whose calls find other rows is not compared; one with other tables is',
  () => {
    const problems = new Map(finished.model.cells.map(({ variant, rowProblems }) => [variant, rowProblems.length]));
    expect(problems.get('search=other')).toBe(1);
    for (const level of ['as it is', 'rewritten', 'index', 'small'])
      expect(problems.get(`search=${level}`), level).toBe(0);
  },
);

test.skipIf(isSkipped('sqlite'))('another plan that a level has made is no changed plan', () => {
  const shown = findingsOf(finished.model).shown.map(({ rule }) => rule.id);
  expect(shown).not.toContain('planChanged');
});

test.skipIf(isSkipped('sqlite'))('a run that was cancelled goes on with the same variants', async () => {
  await using home = testHome();
  const run = await newTrustedRun({ home: home.home, yaml: yamlOf(1) });
  run.on('record', ({ record }) => {
    if (record === 'result') run.cancel();
  });
  await run.start();
  const resumed = await resumeTrusted({ home: home.home, file: run.file });
  await resumed.start();
  const { cells, trials } = await loadRun(home.home, run.file);
  expect(cells.map(({ variant }) => variant).toSorted()).toEqual(
    ['as it is', 'index', 'other', 'rewritten', 'small'].map((level) => `search=${level}`),
  );
  expect(trials.every(({ result }) => result?.status === 'ok')).toBe(true);
});

test.skipIf(isSkipped('sqlite'))('a statement can be tried with a level', async () => {
  await using home = testHome();
  const signal = new AbortController().signal;
  const tried = async (variant: string) => {
    const [report] = await tryTrusted({ home: home.home, yaml: yamlOf(1), signal, variant, onActivity: () => {} });
    return report!.statements.map(({ text, shown }) => [text, shown?.rows.length]);
  };
  expect(await tried('search=other')).toEqual([[expect.stringContaining('id < 0'), 0]]);
  expect(await tried('search=rewritten')).toEqual([[expect.stringContaining('EXISTS'), expect.any(Number)]]);
});
