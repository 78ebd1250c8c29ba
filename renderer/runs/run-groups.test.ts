import { expect, test } from 'vitest';
import type { RunEntry } from '#protocol/ipc.ts';
import { noAnnotation } from '#protocol/run-annotation.ts';
import { groupRuns, rates } from './run-groups.ts';

const run = (id: string, name: string, startedAt: string, more: Partial<RunEntry> = {}): RunEntry => ({
  ...{ id, name, startedAt, size: null, status: 'complete', trialsDone: 1, trialsPlanned: 1, targets: ['sqlite'] },
  ...{ trialsGood: 1, comparison: 'notPlanned', grade: null, bytes: 1, durationMs: 1, cells: [] },
  ...{ ...noAnnotation, isBaseline: false },
  ...more,
});
const runs = [
  run('c', 'Duel', '2026-11-03'),
  run('b', 'Fetch', '2026-11-02', { status: 'interrupted', durationMs: 9 }),
  run('a', 'Duel', '2026-11-01', { targets: ['postgres'] }),
];
const ids = (filter: string, order: Parameters<typeof groupRuns>[2]) =>
  groupRuns(runs, filter, order).map(({ name, runs: own }) => [name, own.map(({ id }) => id)]);

test('runs stand together by experiment, in the chosen order', () => {
  expect(ids('', 'newest')).toEqual([
    ['Duel', ['c', 'a']],
    ['Fetch', ['b']],
  ]);
  expect(ids('', 'oldest')[0]).toEqual(['Duel', ['a', 'c']]);
  expect(ids('', 'longest')[0]).toEqual(['Fetch', ['b']]);
});

test('a filter leaves the runs that have all its words', () => {
  expect(ids('duel POSTGRES', 'newest')).toEqual([['Duel', ['a']]]);
  expect(ids('interrupted', 'newest')).toEqual([['Fetch', ['b']]]);
  expect(ids('nothing', 'newest')).toEqual([]);
  const tagged = [run('d', 'Duel', '2026-11-04', { tags: ['nightly'], title: 'After the upgrade', isBaseline: true })];
  for (const filter of ['#nightly', 'night', 'upgrade', 'baseline'])
    expect(groupRuns([...runs, ...tagged], filter, 'newest').flatMap((group) => group.runs)).toEqual(tagged);
  expect(groupRuns(tagged, '#night', 'newest')).toEqual([]);
});

test('a note is found by its words', () => {
  const noted = [...runs, run('d', 'Other', '2026-11-04', { note: 'after the index rebuild' })];
  expect(groupRuns(noted, 'rebuild', 'newest').map(({ name }) => name)).toEqual(['Other']);
});

test('a series has the fastest rates of complete runs of one size and unit, the oldest first', () => {
  const cell = (value: number, unit: 'rows/s' | 'calls/s' = 'rows/s') => ({
    cells: [{ label: 'bulk', target: 'sqlite', index: 1, value, digits: 3, unit }],
  });
  expect(
    rates([
      run('5', 'Duel', '2026-11-05', cell(50)),
      run('4', 'Duel', '2026-11-04', { ...cell(40), status: 'cancelled' }),
      run('3', 'Duel', '2026-11-03', cell(30, 'calls/s')),
      run('2', 'Duel', '2026-11-02', { ...cell(20), size: 'small' }),
      run('1', 'Duel', '2026-11-01', cell(10)),
    ]),
  ).toEqual([
    { value: 10, index: 1 },
    { value: 50, index: 1 },
  ]);
  expect(rates([])).toEqual([]);
});
