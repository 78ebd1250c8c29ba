import { expect, test, vi } from 'vitest';
import type { ComparedFigure } from '#analysis/twin/compare-twin.ts';
import { mostOff } from '#analysis/twin/compare-twin.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import type { CheckedTwin } from '#orchestrator/twin/check-twin.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { smokeOf, whole } from '#platform/whole.fixture.ts';
import { twinMarkdown } from '#presentation/terminal/twin-text.ts';
import { dyno } from '../cli.fixture.ts';
import { testHome } from '../home.fixture.ts';
import { originalServers, savedConnection } from './original-servers.fixture.ts';
import { bench, shop } from './originals.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000 });

const originals = { shop: () => shop(whole ? 2 : 1), bench: () => bench(whole ? 5 : 1) };
const managed = { postgres: 'embedded-postgres', mysql: 'local-mariadb', mongodb: 'local-mongodb' } as const;
type Engine = keyof typeof managed;

type Case = readonly [name: keyof typeof originals, from: Engine, on: Engine];
const cases: readonly Case[] = [
  ['shop', 'postgres', 'postgres'],
  ['shop', 'mysql', 'mysql'],
  ['shop', 'mongodb', 'mongodb'],
  ['bench', 'postgres', 'postgres'],
  ['bench', 'mysql', 'mysql'],
  ['bench', 'mongodb', 'mongodb'],
  ['shop', 'postgres', 'mysql'],
  ['shop', 'mysql', 'postgres'],
  ['shop', 'postgres', 'mongodb'],
];

const right = (figures: readonly ComparedFigure[]) => {
  const known = figures.filter(({ off }) => off !== null);
  return { known: known.length, right: known.filter(({ off }) => off! <= mostOff).length };
};

test.each(smokeOf(cases, 1))('the twin of %s on %s is made on %s and compared', async (name, from, on) => {
  if (isSkipped(managed[from]) || isSkipped(managed[on])) return;
  await using server = await originalServers[from](`check_${name}`, originals[name]());
  await using test = testHome();
  using _ = savedConnection(test.home, 'own', from, server);
  const target = from === on ? 'own' : managed[on];
  const found = await dyno(test.home, 'import', 'tables', 'own', ...server.tables, '--on', target, '--check', '--json');
  expect(found.code, found.err).toBe(exitCodes.ok);
  const { check } = JSON.parse(found.out) as { check: CheckedTwin };
  const shown = twinMarkdown(`${name} on ${from}, made on ${on}`, check, []);
  if (whole) console.log(shown);
  expect(check.isProduction).toBe(false);
  expect(check.queries).toHaveLength(10);
  for (const { rows } of check.tables) expect(rows.twin).toBe(rows.original);
  // Two columns that depend on each other, of which the server knows nothing together, and a rare value may be off.
  const rows = right(check.queries.map((one) => one.rows));
  expect(rows, shown).toMatchObject({ known: 10 });
  expect(rows.right, shown).toBeGreaterThanOrEqual(8);
  if (from !== on) return;
  const estimated = right(check.queries.map((one) => one.estimated));
  expect(estimated.right, shown).toBeGreaterThanOrEqual(estimated.known - 2);
  expect(check.queries.filter(({ sameShape }) => sameShape === true).length, shown).toBeGreaterThanOrEqual(8);
  const left = await dyno(test.home, 'clean', target);
  expect(left.out).not.toMatch(/_twin/);
});

test('a production server is asked for statistics and plans alone, and gets no twin', async () => {
  if (isSkipped('embedded-postgres')) return;
  await using server = await originalServers.postgres('check_production', bench(1));
  await using test = testHome();
  using _ = savedConnection(test.home, 'live', 'postgres', server, { production: {} });
  const args = ['import', 'tables', 'live', ...server.tables, '--check', '--confirm', String(server.values.host)];
  const refused = await dyno(test.home, ...args);
  expect(refused.code, refused.out).not.toBe(exitCodes.ok);
  expect(refused.err).toMatch(/production/);
  const file = `${temporaryFolder()}/twin.md`;
  const found = await dyno(test.home, ...args, '--on', 'embedded-postgres', '--json', '--markdown', file);
  expect(found.code, found.err).toBe(exitCodes.ok);
  const { check } = JSON.parse(found.out) as { check: CheckedTwin };
  expect(check.isProduction).toBe(true);
  for (const { from } of check.columns) expect(from).toBe('statistics');
  for (const { rows, estimated } of check.queries) {
    expect(rows.original).toBeNull();
    expect(estimated.original).not.toBeNull();
  }
});
