import { expect, test } from 'vitest';
import type { TwinComparison } from '#analysis/twin/compare-twin.ts';
import { twinLines, twinMarkdown } from './twin-text.ts';

const figure = (original: number | null, twin: number | null, off: number | null) => ({ original, twin, off });
const step = (operator: string, table: string | null, index: string | null) => ({ depth: 0, operator, table, index });
const compared: TwinComparison = {
  tables: [{ table: 'orders', rows: figure(100, 100, 1) }],
  columns: [
    {
      ...{ table: 'orders', column: 'status', from: 'counted' },
      different: figure(5, 5, 1),
      most: figure(60, 20, 3),
      nulls: figure(0, 0, 1),
      meanLength: null,
    },
  ],
  queries: [
    {
      ...{ name: 'orders: status, null', sameShape: true, notes: [] },
      estimated: figure(10, 12, 1.2),
      rows: figure(null, 11, null),
      originalPlan: [step('Seq Scan', 'orders', null)],
      twinPlan: [step('Seq Scan', 'orders', null)],
    },
    {
      ...{ name: 'orders: total, the top tenth', sameShape: false, notes: ['Twin: too late.'] },
      estimated: figure(10, 40, 4),
      rows: figure(10, 11, 1.1),
      originalPlan: [step('Seq Scan', 'orders', null)],
      twinPlan: [step('Index Scan', 'orders', 'total')],
    },
  ],
};

test('the verdict counts the figures that are known, and plans that differ are shown', () => {
  const text = twinLines(compared, ['It was asked in a hurry.']).join('\n');
  expect(text).toContain('Rows that the optimizer expects: within 2× for 1 of 2, the worst 4.00×.');
  expect(text).toContain('Rows of queries: within 2× for 1 of 1, the worst 1.10×.');
  expect(text).toContain('Same plan shape: 1 of 2 queries.');
  expect(text).toContain('Rows of the most frequent values: within 2× for 0 of 1, the worst 3.00×.');
  expect(text).toContain('It was asked in a hurry.');
  expect(text).toContain('    Index Scan on orders by total');
  expect(text.match(/orders: status, null/g)).toHaveLength(1);
});

test('Markdown has a row for each query and each column', () => {
  const text = twinMarkdown('How far is the twin of a|b off?', compared, []);
  expect(text).toContain('| orders: status, null | 10 | 12 | 1.20× | – | 11 | – | same |');
  expect(text).toContain('| orders.status | 5 | 5 | 1.00× | 60 | 20 | 3.00× |');
  expect(text).not.toContain('a|b');
});
