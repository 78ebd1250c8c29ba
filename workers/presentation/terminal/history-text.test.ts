import { expect, it } from 'vitest';
import type { History, HistorySeries } from '#protocol/history.ts';
import { renderHistory } from './history-text.ts';

const series: HistorySeries = {
  ...{
    label: 'browse',
    target: 'shop',
    index: 0,
    work: null,
    quantity: 'throughput',
    unit: 'calls/s',
    better: 'higher',
  },
  limit: null,
  points: [100, 101, 99, 140, 141].map((value, run) => ({
    run: run + 1,
    value,
    low: value - 2,
    high: value + 2,
    n: 3,
  })),
  levels: [],
  changes: [
    {
      ...{ at: 4, since: 3 },
      before: 100,
      after: 140,
      ratio: { value: 1.4, low: 1.3, high: 1.5 },
      p: 0.001,
      verdict: 'better',
      machine: null,
    },
  ],
  redefined: [2],
};
const history: History = {
  ...{ name: 'Checkout\u001b[2J', size: 'Large', olderRuns: 2, machineSpread: 0.03 },
  runs: Array.from({ length: 6 }, (_, run) => ({
    ...{ id: `run-${run}`, startedAt: `2026-11-0${run + 1}T12:00:00.000Z`, title: '', isBaseline: false, grade: null },
    ...{ changes: [], machineSpeed: 1 },
  })),
  series: [series, { ...series, label: 'pay\nrm -rf', changes: [], redefined: [] }],
  movedFirst: { at: 4, series: [0] },
};

it('has the answer first, then one line per series with its values over the runs', () => {
  const lines = renderHistory(history).replaceAll('\u00a0', ' ').split('\n');
  expect(lines).toEqual([
    'Checkout\ufffd[2J (Large) — 6 complete runs, Nov 1 to Nov 6; 2 older runs left out',
    '',
    '• Since Nov 5, throughput of browse is 40 % higher (30–50 %).',
    '• No version, setting or part of the experiment changed at that run.',
    '◦ The machine’s own speed differed by at most 3.00 % from its median over these runs.',
    '',
    '                                         latest  runs    change',
    'throughput of browse      141 (139–143) calls/s   ▁▁▁██  40 % higher (30–50 %) since Nov 5; other work since Nov 3',
    'throughput of pay rm -rf  141 (139–143) calls/s   ▁▁▁██',
    '',
  ]);
});

it('says so where there are no runs', () => {
  const none = { ...history, runs: [], series: [], movedFirst: null, machineSpread: null, olderRuns: 0 };
  expect(renderHistory(none)).toContain('There is no complete run of this experiment.');
});
