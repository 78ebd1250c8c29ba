import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { init } from 'echarts';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { commitJournal } from '#analysis/cells/commits.fixture.ts';
import { callJournal } from '#analysis/cells/per-call.fixture.ts';
import { sweepJournal, sweepModel } from '#analysis/compare/sweep.fixture.ts';
import { madeTournament, storeChanges } from '#analysis/compare/tournament.fixture.ts';
import { findingsOf } from '#analysis/findings/find-findings.ts';
import { callTime, madeRun, processTime } from '#analysis/findings/shared/findings.fixture.ts';
import { typedNullRun } from '#analysis/findings/statements/typed-null.fixture.ts';
import { createJournalParser } from '#analysis/journal/journal-parser.ts';
import { timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Published } from '#experiment/schema/published.ts';
import { fullRun } from '#orchestrator/journal/damaged-run.fixture.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { lightTheme } from '#presentation/charts/kit/theme.ts';
import { createSvgRenderer } from '#presentation/charts/plot/render-svg.ts';
import { drawPanel } from '#presentation/outline/draw-panel.ts';
import { outline } from '#presentation/outline/outline.ts';
import { type Tab, tabs } from '#presentation/outline/panel.ts';
import { appendixPanels } from '#presentation/report/appendix.ts';
import { renderReport } from '#presentation/report/report.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { standardChoices } from '#protocol/report-choices.ts';
import { TabView } from './tab-view.tsx';

// The test has no window, so tabs are rendered once to text.
vi.mock('../state/theme.ts', () => ({ useTheme: () => 'light' }));
vi.mock('../state/store.ts', async (original) => ({
  ...(await original<object>()),
  useStore: (store: { get(): unknown }) => store.get(),
}));

const renderSvg = createSvgRenderer(init);
const sha256 = (text: string): string => hash('sha256', text, 'base64');
const nothing = () => {};

function readText(text: string): RunModel {
  const parser = createJournalParser('run.dyno-run');
  const lines = text.trim().split('\n');
  return readRun(lines.flatMap((line, i) => parser.parse(line, i + 1) ?? []));
}

const duel = readRun(fixtureJournal({ connections: [1, 4] }));
const published: Published = {
  source: 'A bet',
  of: 'seconds',
  baseline: { method: 'prepared', connections: 1 },
  values: [
    { levels: { method: 'prepared', connections: 1 }, value: 60 },
    { levels: { method: 'prepared', connections: 4 }, value: 30 },
  ],
};

function* searchJournal(): Generator<JournalRecord> {
  const search = { find: 'saturation', setting: 'connections', from: 1, to: 32, relativeStep: 0.05 } as const;
  for (const record of sweepJournal({ loads: [1, 2, 4, 8, 16, 32], repeats: 1 }))
    yield record.record === 'header'
      ? { ...record, plan: { ...record.plan, measure: { ...record.plan.measure, search } } }
      : record;
}

const tournament = madeTournament({ changes: storeChanges, targets: ['PostgreSQL', 'MariaDB'], repeats: 2 });

const runs: Readonly<Record<string, RunModel>> = {
  'an insert duel': duel,
  'inserts of known bytes': {
    ...duel,
    trials: duel.trials.map((view) => ({
      ...view,
      result: view.result && { ...view.result, valueBytes: { rows: 1, bytes: 36 } },
    })),
    cells: duel.cells.map((cell) => ({
      ...cell,
      pageUse: { parts: [{ part: 'key', density: 0.7, outOfOrder: 0.9, freeBytes: 8_192 }], why: null },
    })),
  },
  'an experiment with published figures': {
    ...duel,
    plan: { ...duel.plan, experiment: { ...duel.plan.experiment, published: [published] } },
  },
  'an experiment with goals and prices': {
    ...duel,
    plan: {
      ...duel.plan,
      experiment: {
        ...duel.plan.experiment,
        ...{ goals: { p50Ms: 1, errorsPercent: 1 }, prices: { currency: 'EUR', perHour: { SQLite: 1 } } },
      },
    },
  },
  'an explained gap': {
    ...duel,
    plan: { ...duel.plan, experiment: { ...duel.plan.experiment, explain: { method: 'prepared', connections: 4 } } },
  },
  'a rehearsal': {
    ...tournament,
    plan: {
      ...tournament.plan,
      experiment: {
        ...tournament.plan.experiment,
        ...{
          baseline: { target: 'PostgreSQL' },
          rehearsal: { margin: 0.1, leftOut: [{ what: 'cut', why: 'It is.' }] },
        },
      },
    },
  },
  'a search': readRun(searchJournal()),
  'changes of the file': madeTournament({ changes: storeChanges, repeats: 2 }),
  'clients, servers and statements that were timed': madeRun({
    workload: { operation: 'readByKey' },
    targets: [
      {
        name: 'server',
        probeInfo: {
          'wait:cpu': { unit: 'count', label: 'running', class: 'cpu' },
          read: { unit: 'count', label: 'Rows read', role: 'rowsExamined' },
        },
      },
    ],
    trial: () => ({
      gauges: { 'wait:cpu': 2 },
      health: { processTime: processTime({}), callTime: callTime(10_000, { waitMs: 1 }) },
      result: {
        probeDelta: { read: 1_000 },
        statements: [
          {
            name: 'look-up',
            kind: 'statement',
            calls: 1_000,
            rows: 1_000,
            errors: {},
            service: timesOf([1, 1_000]),
            failed: null,
          },
        ],
      },
    }),
  }),
  'calls reported one by one': readRun(callJournal()),
  'timed commits': readRun(commitJournal(2)),
  'a sweep over connections': sweepModel({ loads: [1, 2, 4, 8, 16, 32], repeats: 3 }),
  'nulls of another type': madeRun(typedNullRun),
  'a run with trials that failed': madeRun({
    trial: ({ repeat }) => ({ result: repeat === 1 ? { status: 'failed' } : {} }),
  }),
  'a run with every member': readText(fullRun()),
};

/** The first pages replace some panels, and results have a section of numbers. */
const onFirstPages = ['results', 'caveats'];
const isInReport = (id: string, run: RunModel): boolean =>
  !onFirstPages.includes(id) && appendixPanels.some(([_, panel, when]) => panel === id && (when?.(run) ?? true));

/** The id of a panel, or the prefix of the ids of its charts. */
const attribute = (name: string, id: string) => (id.endsWith('-*') ? `${name}="${id.slice(0, -1)}` : `${name}="${id}"`);

test.each(Object.entries(runs))(
  'the window of %s has every panel that it has something for, and the report has those of its list',
  (_, run) => {
    const report = renderReport(run, { ...standardChoices, logo: null, note: '', renderSvg, sha256 });
    const window = Object.fromEntries(
      (Object.keys(tabs) as Tab[]).map((tab) => [
        tab,
        renderToString(<TabView tab={tab} model={run} onFollow={nothing} />),
      ]),
    );
    const due = outline.filter(({ when }) => when(run, baselineOf(run)));
    const missing = due.flatMap(({ id, tab }) => [
      ...(window[tab]!.includes(attribute('data-chart', id)) ? [] : [`${id} in the window`]),
      ...(isInReport(id, run) && !report.includes(attribute('<section id', id)) ? [`${id} in the report`] : []),
    ]);
    expect(missing).toEqual([]);
  },
);

test('a panel that cannot be drawn says so, and the others are there', () => {
  const drawing = vi.spyOn(outline.find(({ id }) => id === 'settings-compared')!, 'draw').mockImplementation(() => {
    throw new RangeError('There is no such setting.');
  });
  const shown = renderToString(<TabView tab="environment" model={duel} onFollow={nothing} />);
  drawing.mockRestore();
  expect(shown).toContain('There is no such setting.');
  const others = outline.filter(
    ({ id, tab, when }) => tab === 'environment' && id !== 'settings-compared' && when(duel, baselineOf(duel)),
  );
  expect(others.filter(({ id }) => !shown.includes(attribute('data-chart', id)))).toEqual([]);
});

test('these runs have something for every panel', () => {
  const unused = outline.filter(({ when }) => !Object.values(runs).some((run) => when(run, baselineOf(run))));
  expect(unused.map(({ id }) => id)).toEqual([]);
});

test.each(Object.entries(runs))('Latency of %s begins with a picture, where it has one', (_, run) => {
  const input = {
    model: run,
    run,
    baseline: baselineOf(run),
    theme: lightTheme,
    widthPx: 900,
    views: [],
    perProcess: false,
  };
  const kinds = outline
    .filter(({ tab }) => tab === 'latency')
    .flatMap((panel) => drawPanel(panel, input)?.content.kind ?? []);
  expect(kinds.includes('charts') ? kinds[0] : 'charts').toBe('charts');
});

test('what went wrong stands before the results, and the results before what is doubtful', () => {
  const order = outline.map(({ id }) => id);
  expect(order.indexOf('errors')).toBeLessThan(order.indexOf('results'));
  expect(order.indexOf('results')).toBeLessThan(order.indexOf('caveats'));
});

test('ids are unique', () => {
  const ids = outline.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every style of a panel names a panel', () => {
  const css = readFileSync(new URL('results.css', import.meta.url), 'utf8');
  const named = [...css.matchAll(/\[data-chart="([^"]*)"\]/g)].map(([, id]) => id);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !outline.some(({ id }) => id === name))).toEqual([]);
});

test.each(Object.entries(runs))('evidence of findings in %s leads to panels', (_, run) => {
  const { shown } = findingsOf(run);
  const links = shown
    .flatMap(({ lead, also }) => [lead, ...also].flatMap(({ evidence }) => evidence))
    .flatMap(({ link }) => link ?? []);
  expect(links.filter(({ panel }) => !outline.some(({ id }) => id === panel))).toEqual([]);
});

test('a run that is over says of a tab without panels that no trial has a result, and not that one is awaited', () => {
  const failed: RunModel = { ...duel, cells: duel.cells.map((cell) => ({ ...cell, ok: 0 })), trials: [] };
  const shown = (run: RunModel) => renderToString(<TabView tab="findings" model={run} onFollow={nothing} />);
  expect(shown({ ...failed, status: 'complete' })).toContain('No trial has a result: “Summary” shows the reasons.');
  expect(shown({ ...failed, status: 'running' })).toContain('Nothing to explain yet');
});
