import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parameterCases } from '../../shared/parameter-columns.fixture.ts';
import { batchWith } from '../../shared/test-table.fixture.ts';
import { flatRows } from '../values/values.ts';
import { bindRows } from './bind-rows.ts';
import { executeNamed } from './messages.ts';

test('rows are bound as their values are, whatever their types', () => {
  const call = fc
    .record({
      rows: fc.integer({ min: 1, max: 3 }),
      chosen: fc.array(fc.constantFrom(...parameterCases), { minLength: 1, maxLength: 10 }),
    })
    .chain(({ rows, chosen }) =>
      fc.record({
        rows: fc.constant(rows),
        types: fc.constant(chosen.map(({ type }) => type)),
        columns: fc.tuple(...chosen.map(({ column }) => column(rows))),
        some: fc.array(fc.nat(chosen.length - 1), { maxLength: 12 }),
      }),
    );
  fc.assert(
    fc.property(call, ({ rows, types, columns, some }) => {
      const batch = batchWith(rows, ...columns);
      const values = flatRows(batch, types);
      expect(bindRows('dyno_1', types)(batch).equals(executeNamed('dyno_1')(values))).toBe(true);
      const chosen = Array.from({ length: rows }, (_, r) => some.map((c) => values[r * types.length + c]!)).flat();
      expect(bindRows('dyno_1', types, some)(batch).equals(executeNamed('dyno_1')(chosen))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
