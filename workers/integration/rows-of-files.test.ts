import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { testHome } from './home.fixture.ts';
import { newTrustedRun } from './trusted.fixture.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const yaml = (rows: number) => `dyno: 1
name: Rows of a file
question: Are they read?
dataset:
  name: sales
  from: { file: sales.csv }
  rows: ${rows}
  key: id
  columns: { id: { type: file, as: integer }, note: { type: file, nulls: 1 } }
workload: { operation: statement, method: prepared }
statements:
  read:
    text: SELECT note FROM {sales} WHERE id = :id
    parameters: { id: { type: integer, min: 1, max: 2 } }
targets: [sqlite]
measure: { until: { calls: 5 }, repeats: 2 }
`;

const usual = '\uFEFFid,note\r\n1,"two\nlines"\r\n2,\r\n';

async function runOf(rows: number, text = usual) {
  const test = testHome();
  writeFileSync(join(test.home.experiments, 'sales.csv'), text);
  const run = await newTrustedRun({ home: test.home, yaml: yaml(rows) });
  const { results } = collect(run);
  return { test, outcome: await run.start(), results: results() };
}

it.skipIf(isSkipped('sqlite'))('rows of a file are in the table, and nothing of them stays behind', async () => {
  const { test, outcome, results } = await runOf(2);
  await using _ = test;
  expect(outcome).toMatchObject({ status: 'complete', failedTrials: 0 });
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
  // Two integers of 8 bytes, and a text of 9.
  const load = { table: 'sales', rows: 2, bytes: 25, ms: expect.any(Number) };
  expect(results.map(({ tableLoads }) => tableLoads)).toEqual([[load], [load]]);
  expect(readdirSync(test.home.state).filter((name) => name.startsWith('rows-'))).toEqual([]);
});

it.skipIf(isSkipped('sqlite'))('a file with too few rows is named by the trials that need more', async () => {
  const { test, outcome, results } = await runOf(3);
  await using _ = test;
  expect(outcome).toMatchObject({ failedTrials: 2 });
  expect(results[0]?.error?.message).toContain('sales.csv has 2 rows');
});

it.skipIf(isSkipped('sqlite'))(
  'a wrong value fails the trials for good, and says that a new run is needed',
  async () => {
    const { test, outcome, results } = await runOf(2, 'id,note\n1,a\ntwo,b\n');
    await using _ = test;
    expect(outcome).toMatchObject({ status: 'complete', failedTrials: 2, trialsToResume: 0 });
    expect(results[0]!.error).toMatchObject({
      message: expect.stringContaining('sales.csv, line 3, column “id”: “two”'),
      hint: expect.stringContaining('run the experiment anew'),
    });
  },
);
