import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { parseFile } from '#rules/parsed-file.ts';
import { expectText, openExperiment, region } from '../../dev/window.fixture.tsx';

const broken = `dyno: 1
name: Orders
question: How fast is it?
tables:
  orders:
    rows: 1000
    key: id
    columns:
      id: { type: sequence }
      state: { type: oneOf, values: [new, paid] }
      created_at: { type: timestamp }
workload: { operation: statement, methd: prepared }
statements:
  add:
    text: INSERT INTO {orders} (id, state, created_at) VALUES (?, %s, $3)
  find:
    text: SELECT * FROM {orders} WHERE state = :state
targets: [embedded-postgres]
measure: { until: { secnds: 1 }, repeats: 1 }
`;

test('all mistakes are shown at once, also those in statements beside errors elsewhere, and one press fixes them', async () => {
  const dyno = await openExperiment(broken);
  const shown = await region('Plan');
  for (const mistake of [/methd/, /secnds/, /“add” has \$3 in line 1/, /“find” has a parameter “state”/])
    expect((await within(shown).findAllByText(mistake)).length).toBeGreaterThan(0);
  await dyno.user.click(await screen.findByRole('button', { name: 'Fix all' }));
  await expectText(dyno, 'seconds: 1');
  await expectText(dyno, 'VALUES (:id, :state, :created_at)');
  await expect.poll(() => parseFile(dyno.text()).diagnostics).toEqual([]);
  expect(parseFile(dyno.text()).experiment).toMatchObject({
    workload: { method: 'prepared' },
    statements: {
      add: {
        parameters: {
          id: { type: 'newKey', table: 'orders' },
          state: { type: 'oneOf', values: ['new', 'paid'] },
          created_at: { type: 'timestamp' },
        },
      },
      find: { parameters: { state: { type: 'oneOf' } } },
    },
  });
});
