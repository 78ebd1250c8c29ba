import { expect, test } from 'vitest';
import { heads, numbers } from './panel-table.ts';
import { sameOnce } from './same-once.ts';

const columns = [...heads('Variant'), ...numbers('Steal', 'Repeat')];

test('a value that all rows share is shown once', () => {
  const rows = [{ cells: ['bulk', '0 %', '1'] }, { cells: ['bulk', '0 %', '2'] }];
  expect(sameOnce({ columns, rows })).toEqual({
    same: [['Steal', '0 %']],
    table: { columns: [columns[0], columns[2]], rows: [{ cells: ['bulk', '1'] }, { cells: ['bulk', '2'] }] },
  });
});

test('a marked value and a single row stay', () => {
  const marked = { text: '9 %', tone: 'differs' } as const;
  const table = { columns, rows: [{ cells: ['bulk', marked, '1'] }, { cells: ['bulk', marked, '2'] }] };
  expect(sameOnce(table)).toEqual({ same: [], table });
  const single = { columns, rows: [{ cells: ['bulk', '0 %', '1'] }] };
  expect(sameOnce(single)).toEqual({ same: [], table: single });
});
