import { expect, test } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '../parsed-file.ts';

const engines = catalog.map(({ descriptor }) => descriptor);

/** The diagnostics of a statement on a dataset with this name, beside the table `stores`. */
function said(text: string, name: string | null): readonly string[] {
  const file = parseFile(
    JSON.stringify({
      dyno: 1,
      name: 'Names',
      question: 'Which table?',
      tables: { stores: { rows: 9, key: 'id', columns: { id: { type: 'sequence' } } } },
      ...(name !== '' && {
        dataset: { ...(name !== null && { name }), rows: 9, key: 'id', columns: { id: { type: 'sequence' } } },
      }),
      workload: { operation: 'statement' },
      statements: { one: { text, parameters: { p: { type: 'key', table: 'stores' } } } },
      targets: ['sqlite'],
    }),
  );
  expect(file.experiment).not.toBeNull();
  return planExperiment(file, { catalog: engines }).diagnostics.map(
    ({ message, suggestion }) => `${message} ${suggestion ?? ''}`,
  );
}

test.each([
  ['SELECT id FROM {orders} WHERE id = :p', 'orders', null],
  ['SELECT id FROM {table} WHERE id = :p', null, null],
  ['SELECT id FROM {table} WHERE id = :p', 'table', null],
  ['SELECT id FROM {table} WHERE id = :p', 'orders', /has \{table\}.*The dataset’s table is \{orders\}\./],
  ['SELECT id FROM {order} WHERE id = :p', 'orders', /has \{order\}, and there is no such table\. .*`orders`/],
  ['SELECT id FROM {orders} WHERE id = :p', null, /no such table\. Tables: \{stores\}, \{table\}\./],
  ['SELECT id FROM {table} WHERE id = :p', '', /the experiment has no dataset/],
])('%s with the dataset %s', (text, name, problem) => {
  const found = said(text, name).filter((one) => one.includes('{') || one.includes('dataset'));
  if (problem === null) expect(found).toEqual([]);
  else expect(found.join('\n')).toMatch(problem);
});
