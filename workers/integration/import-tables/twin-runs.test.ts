import { expect, test, vi } from 'vitest';
import type { TableFacts } from '#engine-api/table-facts.ts';
import { catalog } from '#engines/catalog.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { sampleStatistics } from '#engines/shared/import-tables/sample.ts';
import { twinOf } from '#experiment/import-tables/twin.ts';
import { twinText } from '#experiment/import-tables/twin-text.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import { newTrustedRun } from '../trusted.fixture.ts';
import { type OriginalSchema, shop } from './originals.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const own = sharedHome();

/** The facts of a schema, with statistics of all its rows. */
const factsOf = ({ tables }: OriginalSchema): readonly TableFacts[] =>
  Object.entries(tables).map(([name, { definition, rows }]) => {
    const columns = [...definition.matchAll(/(?:^|, )([a-z_]+) (\w+|\{time\})(?:\(([\d,]+)\))?([^,]*)/g)];
    const [, composite] = /, PRIMARY KEY \(([^)]*)\)/.exec(definition) ?? [];
    const [, single] = /(\w+) \w+ PRIMARY KEY/.exec(definition) ?? [];
    return {
      ...{ schema: null, name, rows: rows.length, joint: [], notes: [] },
      columns: columns.map(([, column = '', type = '', args = '', rest = ''], i) => ({
        ...{ name: column, type: type.replace(/[{}]/g, '') === 'time' ? 'timestamp' : type },
        args: args === '' ? [] : args.split(','),
        isNullable: !/NOT NULL|PRIMARY KEY/.test(rest),
        ...{ isCounted: false, isComputed: false, isArray: false, labels: null },
        statistics: sampleStatistics(
          rows.map((row) => row[i] ?? null),
          rows.length,
        ),
      })),
      key: (composite ?? single ?? '').split(', '),
      foreignKeys: [...definition.matchAll(/FOREIGN KEY \((\w+)\) REFERENCES \{(\w+)\} \((\w+)\)/g)].map(
        ([, column = '', table = '', referred = '']) => ({
          ...{ columns: [column], schema: null, table, referred: [referred] },
        }),
      ),
      indexes: tables[name]!.indexes.map((column) => ({
        ...{ name: `by_${column}`, parts: [{ column }], include: [], where: null, unique: false },
        ...{ kind: 'btree' as const, method: 'btree', visible: true },
      })),
    };
  });

const targets = ['sqlite', 'embedded-postgres', 'local-mariadb', 'local-mongodb'];

test.each(smokeOf(targets))('the experiment of a twin runs on %s', async (target) => {
  if (isSkipped(target)) return;
  const twin = twinOf(factsOf(shop(1)), { scale: 0.02, keepValues: false });
  const yaml = twinText(
    twin,
    { name: 'the shop', engine: 'postgres' },
    { name: target, engine: 'postgres' },
    catalog.map(({ descriptor }) => descriptor),
  ).replace(/measure:[\s\S]*$/, 'measure: { until: { calls: 40 }, repeats: 1, warmupRows: 10 }\n');
  const run = await newTrustedRun({ home: own.home, yaml });
  const { results } = collect(run);
  await run.start();
  const [result] = results();
  expect(result!.error).toBeNull();
  expect(result!.status).toBe('ok');
  expect(Object.keys(twin.tables)).toEqual(['customers', 'products', 'orders', 'items']);
  expect(twin.tables.orders!.rows).toBe(400);
});
