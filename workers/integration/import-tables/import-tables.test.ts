import { expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { sharedTestServer } from '#managed-servers/test-server.fixture.ts';
import { smokeOf, whole } from '#platform/whole.fixture.ts';
import { bench, shop } from './originals.fixture.ts';
import {
  compareTwin,
  errorOf,
  errorTable,
  factsOn,
  makeOriginal,
  makeTwin,
  mariadbServer,
  postgresServer,
} from './twins.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000 });

const originals = { shop: () => shop(whole ? 2 : 1), bench: () => bench(whole ? 5 : 1) };

const servers = {
  postgres: async (schema: string) => postgresServer((await sharedTestServer()).admin, schema),
  mariadb: async (schema: string) => mariadbServer((await sharedTestServer(mariadb)).admin, schema),
};

const cases = [
  ['shop', 'postgres'],
  ['shop', 'mariadb'],
  ['bench', 'postgres'],
  ['bench', 'mariadb'],
] as const;

test.each(smokeOf(cases, 1))('the twin of %s on %s answers queries with as many rows', async (name, on) => {
  if (isSkipped(on === 'mariadb' ? 'local-mariadb' : 'embedded-postgres')) return;
  const schema = originals[name]();
  await using server = await servers[on](`import_${name}`);
  await makeOriginal(server, schema);
  const facts = await factsOn(server, schema);
  const plans = await makeTwin(server, facts);
  const found = await compareTwin(server, schema, (table) => `dyno.${plans[table]!.name}`);
  if (whole)
    console.log(
      Object.entries(found)
        .map(([what, list]) => errorTable(`${name} on ${on}: ${what}`, list))
        .join('\n'),
    );
  for (const list of [found.rows, found.estimates]) {
    const within = list.filter((one) => errorOf(one) <= 2);
    expect(within.length, errorTable('how far is the twin off', list)).toBeGreaterThanOrEqual(9);
  }
  const exact = found.columns.filter(({ what }) => what.endsWith(': rows'));
  for (const one of exact) expect(one.twin, one.what).toBe(one.original);
});
