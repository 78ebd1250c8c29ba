import { expect, test } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { uuidOrders } from '#model/dataset/uuid-order.ts';
import { anonymise } from '../../report/anonymise.ts';
import { meaningsTable } from './meanings-table.ts';

const run = (more: Parameters<typeof madeRun>[0]) =>
  madeRun({
    dataset: {
      rows: 10,
      key: 'id',
      columns: { id: { type: 'uuid4', nulls: 0 }, n: { type: 'decimal', precision: 12, scale: 2, nulls: 0.5 } },
    },
    ...more,
  });
/** Name and meaning of each row. */
const rowsOf = (model: ReturnType<typeof run>): readonly (readonly [string, string])[] =>
  meaningsTable(model).rows.map(({ cells: [name, , implementation] }) => [String(name), String(implementation)]);

test('each way of binding nulls has what is sent, the column’s own, too, where there are others', () => {
  const nullBindings = {
    asDecimal: { implementation: 'a decimal(38, 0)', methods: ['prepared'], converts: ['decimal'] },
  } as const;
  const target = { name: 'server', descriptor: { nullsAsColumn: 'as its column', nullBindings } };
  const bound = run({ factors: { nullBinding: ['asColumn', 'asDecimal'] }, targets: [target] });
  expect(rowsOf(bound)).toEqual(
    expect.arrayContaining([
      ['nulls asColumn', 'as its column'],
      ['nulls asDecimal', 'a decimal(38, 0)'],
    ]),
  );
  expect(JSON.stringify({ ...anonymise(bound), yaml: '' })).not.toMatch(/as its column|a decimal\(/);
  expect(rowsOf(run({ targets: [target] })).filter(([name]) => name.startsWith('nulls'))).toEqual([]);
});

test.each(uuidOrders)('each kind of uuid as key has how the engine compares it: %s', (order) => {
  const target = { name: 'server', descriptor: { uuids: { implementation: 'sixteen bytes', order } } };
  const keyed = run({ factors: { keyKind: ['inherit', 'uuidSequential', 'sequence'] }, targets: [target] });
  const keys = rowsOf(keyed).filter(([name]) => name.startsWith('key'));
  const version = order === 'bytes' ? 'version 7' : 'version 8';
  expect(keys).toEqual([
    ['key uuid4', 'sixteen bytes'],
    ['key uuidSequential', expect.stringMatching(new RegExp(`${version}: .*; stored as sixteen bytes$`))],
  ]);
  expect(JSON.stringify({ ...anonymise(keyed), yaml: '' })).not.toContain('sixteen bytes');
});
