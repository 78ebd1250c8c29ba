import { expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { smokeOf, whole } from '#platform/whole.fixture.ts';
import { experimentYaml } from './home.fixture.ts';
import { oracleEmulatorName, withOracleEmulator } from './oracle-emulator.fixture.ts';
import { sharedHome } from './shared-home.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const own = sharedHome(isSkipped(oracleEmulatorName) || !whole ? undefined : withOracleEmulator);

const columns = JSON.stringify({
  id: { type: 'uuid7' },
  name: { type: 'text', minLength: 1, maxLength: 30, alphabet: 'unicode', nulls: 0.2 },
  price: { type: 'decimal', precision: 10, scale: 2, min: -5_000, max: 5_000 },
  at: { type: 'timestamp' },
  sold: { type: 'boolean', nulls: 0.1 },
  photo: { type: 'bytes', length: 40 },
});

const yaml = (targets: readonly string[], workload: string, factors: string) =>
  experimentYaml({
    rows: '500',
    columns,
    workload: `{ operation: copy, fetchSize: 64, ${workload} }`,
    factors,
    targets: JSON.stringify(targets),
    measure: '{ repeats: 1, warmupRows: 50 }',
  });

async function run(text: string) {
  const run = await newTrustedRun({ home: own.home, yaml: text });
  const { results } = collect(run);
  await run.start();
  return { results: results(), skipped: run.plan.skipped };
}

/** The reason why the second server cannot read rows, as a sentence. */
const pairs = [
  ['sqlite', 'embedded-postgres', null],
  ['sqlite', 'local-mariadb', null],
  ['embedded-postgres', 'local-mongodb', 'cannot be copied from MongoDB'],
  ['embedded-postgres', 'local-derby', null],
  ['embedded-postgres', oracleEmulatorName, 'timestamps only to the millisecond'],
] as const;

test.each(smokeOf(pairs))('rows go from %s to %s and back as they are', async (one, other, unread) => {
  if (isSkipped(one) || isSkipped(other)) return;
  const { results, skipped } = await run(
    yaml([one, other], 'rowsPerCall: 20, method: multiRow, connections: 2', `{ copyFrom: [${one}, ${other}] }`),
  );
  for (const { status, error, verification, totals, statements, variant, target } of results) {
    expect(error, `${variant} into ${target}`).toBeNull();
    expect({ status, outcome: verification.outcome }).toEqual({ status: 'ok', outcome: 'match' });
    expect(totals.rows).toBe(500);
    // One connection may have no rows left to read.
    expect(statements).toMatchObject([
      { name: 'read', rows: 500 },
      { name: 'insert', rows: 500 },
    ]);
  }
  const reasons = skipped.map(({ reason }) => reason);
  expect(reasons).toEqual(unread === null ? [] : Array(2).fill(expect.stringContaining(unread)));
  expect(results).toHaveLength(4 - reasons.length);
});

test('where rows come from has to be a target, and has to be there', async () => {
  await expect(run(yaml(['sqlite'], 'copyFrom: sqlight', '{}'))).rejects.toThrow('no target `sqlight`');
  const gone = '{ name: gone, engine: postgres, host: 127.0.0.1, port: 1, user: nobody, database: none }';
  const text = yaml([], 'copyFrom: gone, method: prepared', '{}').replace('targets: []', `targets: [sqlite, ${gone}]`);
  const { results } = await run(text);
  expect(results.find(({ target }) => target === 'sqlite')).toMatchObject({
    status: 'failed',
    error: { kind: 'unreachable' },
  });
});
