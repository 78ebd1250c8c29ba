import { expect, test } from 'vitest';
import { parseFile } from '../parsed-file.ts';

const warnings = (levels: object) =>
  parseFile(
    JSON.stringify({
      ...{ dyno: 1, name: 'Levels', question: 'Do they differ?' },
      dataset: { rows: 10, key: 'id', columns: { id: { type: 'sequence' } } },
      ...{ workload: { operation: 'readByKey' }, factors: { memory: levels }, targets: ['embedded-postgres'] },
      measure: { until: { seconds: 1 }, repeats: 3 },
    }),
  ).diagnostics.map(({ path, severity }) => `${severity} ${path}`);

const session = (values: object) => ({ session: { postgres: values } });

test('two levels that write the same values of sessions otherwise are named', () => {
  const same = { a: session({ work_mem: '1GB', jit: 'off' }), b: session({ jit: 'off', work_mem: '1024MB' }) };
  expect(warnings(same)).toEqual(['warning factors.memory.b']);
  expect(warnings({ a: session({ statement_timeout: '60s' }), b: session({ statement_timeout: '1min' }) })).toEqual([
    'warning factors.memory.b',
  ]);
});

test('other values, values without a unit, and two equal levels are not', () => {
  expect(warnings({ a: session({ work_mem: '1GB' }), b: session({ work_mem: '1000MB' }) })).toEqual([]);
  expect(warnings({ a: session({ work_mem: '1024' }), b: session({ work_mem: '1kB' }) })).toEqual([]);
  expect(warnings({ a: session({ work_mem: '1GB' }), b: session({ work_mem: '1GB' }) })).toEqual([]);
});
