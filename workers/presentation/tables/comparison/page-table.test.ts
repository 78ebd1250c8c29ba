import { expect, test } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { pageTable } from './page-table.ts';

const runWith = (of: (repeat: number) => TrialResult['pageUse'] | undefined) =>
  madeRun({
    repeats: 2,
    trial: ({ repeat }) => {
      const pageUse = of(repeat);
      return { result: pageUse ? { pageUse } : {} };
    },
  });

test('each part has the means of the repeats, and a dash for a figure that the server does not tell', () => {
  const { columns, rows } = pageTable(
    runWith((repeat) => ({
      parts: [
        { part: 'table', density: repeat === 1 ? 0.6 : 0.8, outOfOrder: 0.5, freeBytes: 2_048 },
        { part: 'key', density: null, outOfOrder: null, freeBytes: null },
      ],
    })),
  );
  expect(columns.map(({ title }) => title).slice(2)).toEqual(['Part', 'Page density', 'Out of order', 'Free']);
  expect(rows.map(({ cells }) => cells.slice(2).join(' '))).toEqual([
    'table 70.0\u202f% 50.0\u202f% 2.00\u202fKiB'.replaceAll('\u202f', /\s/.exec(String(rows[0]!.cells[3]))![0]),
    'key – – –',
  ]);
});

test('a reason stands beside the parts, and nothing is shown where no server tells anything', () => {
  const part = { part: 'table', density: null, outOfOrder: null, freeBytes: 0 };
  const { columns, rows } = pageTable(runWith(() => ({ parts: [part], why: 'It is closed.' })));
  expect(columns.at(-1)!.title).toBe('Why');
  expect(rows.map(({ cells }) => cells.at(-1))).toEqual(['', 'It is closed.']);
  expect(pageTable(runWith(() => undefined)).rows).toEqual([]);
  expect(pageTable(runWith(() => ({ parts: [], why: 'It is closed.' }))).rows).toEqual([]);
});
