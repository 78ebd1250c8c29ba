import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { testHome } from './home.fixture.ts';
import { newTrustedRun } from './trusted.fixture.ts';

// Real processes and servers, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const yaml = (target: string) => `dyno: 1
name: Indexes on one load
question: Which index?
dataset:
  name: sales
  rows: 400
  key: id
  columns: { id: { type: sequence }, store: { type: integer, min: 1, max: 9 }, amount: { type: integer, min: 1, max: 9 } }
tables:
  stores: { rows: 9, key: id, columns: { id: { type: sequence }, region: { type: integer, min: 1, max: 3 } } }
workload: { operation: statement, method: prepared, indexCreation: afterLoad }
statements:
  total:
    text: SELECT sum(amount) AS total FROM {sales} JOIN {stores} ON {stores}.id = {sales}.store WHERE store = :store
    parameters: { store: { type: integer, min: 1, max: 9 } }
factors:
  index:
    none: {}
    plain: { dataset: { indexes: [{ columns: [store] }] } }
    wide: { dataset: { indexes: [{ columns: [store, amount] }] }, tables: { stores: { indexes: [{ columns: [region] }] } } }
targets: [${target}]
measure: { until: { calls: 5 }, repeats: 2 }
`;

describe('variants that only read and differ in their indexes', () => {
  for (const target of smokeOf(['sqlite', 'embedded-postgres', 'local-mariadb'], 2))
    it.skipIf(isSkipped(target))(`share one load on ${target}, and each trial has its own indexes`, async () => {
      await using test = testHome();
      const run = await newTrustedRun({ home: test.home, yaml: yaml(target) });
      const { records, results } = collect(run);
      expect(run.plan.targets[0]?.sharedLoads).toEqual([['index=none', 'index=plain', 'index=wide']]);
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      const all = results();
      expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'ok'));
      const loads = records.filter((one) => one.record === 'phase' && one.phase === 'load');
      expect(new Set(loads.map((one) => ('trial' in one ? one.trial : null))).size).toBe(1);
      for (const { variant, indexBytes = [] } of all)
        expect(indexBytes.map(({ index }) => index).toSorted()).toEqual(
          {
            'index=none': [],
            'index=plain': ['store'],
            'index=wide': ['region of stores', 'store, amount'],
          }[variant],
        );
      // An index that the trial before had is not created again.
      const sequence = ['index=none', ...all.map(({ variant }) => variant)];
      for (const [at, { variant, builds = [] }] of all.entries()) {
        const isNew = variant !== 'index=none' && sequence[at] !== variant;
        expect(builds.some(({ part }) => part.startsWith('index on store'))).toBe(isNew);
      }
    });
});
