import { expect, test } from 'vitest';
import type { ProbeSample } from '#engine-api/probe.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { connectedClient } from '../client.fixture.ts';
import { config } from '../config.ts';
import { engine } from '../engine.ts';
import { statementCounts } from './statement-counts.ts';

const all = { track: 'top', planning: 'on', schema: 'public', version: '1.12' };

test.each([
  [{ track: null, planning: null, schema: null, version: null }, /shared_preload_libraries .* and CREATE EXTENSION/],
  [{ ...all, schema: null, version: null }, /^Statements executed and plans made: need CREATE EXTENSION/],
  [{ ...all, track: 'none' }, /need pg_stat_statements\.track = top\.$/],
])('what is not set up is named, and not asked for: %j', (found, words) => {
  expect(statementCounts(found)).toEqual({ sql: null, missing: [expect.stringMatching(words)] });
});

test('statements are counted without plans where the extension is old or told not to', () => {
  for (const found of [
    { ...all, version: '1.7' },
    { ...all, planning: 'off' },
  ]) {
    const { sql, missing } = statementCounts(found);
    expect(sql).toContain('sum(calls)');
    expect(sql).not.toContain('plans');
    expect(missing).toHaveLength(1);
  }
  expect(statementCounts(all)).toEqual({ sql: expect.stringContaining('sum(plans)'), missing: [] });
});

test.skipIf(isSkipped('embedded-postgres'))(
  'a server that has the extension tells how many statements it executed, and planned',
  async () => {
    await using server = await startInFolder(async (folder) => {
      const first = await postgres.start(folder, () => {});
      {
        await using client = await connectedClient(first.admin);
        await client.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
      }
      await first.stop();
      return postgres.start(folder, () => {});
    });
    const probe = async (): Promise<ProbeSample> => {
      await using database = await engine.open(config.parse(server.raw), 'dyno-test', new AbortController().signal);
      return await database.probe();
    };
    expect((await probe()).optional).toEqual([expect.stringContaining('CREATE EXTENSION')]);

    await using client = await connectedClient(server.admin);
    await client.query('CREATE SCHEMA "of its own"');
    await client.query('CREATE EXTENSION pg_stat_statements SCHEMA "of its own"');
    expect((await probe()).unavailable, 'the schema is not open to everybody').toEqual([
      expect.stringContaining('of its own'),
    ]);
    await client.query(`GRANT USAGE ON SCHEMA "of its own" TO ${server.raw.user}`);
    const without = await probe();
    expect(without.counters.statement_calls).toBeGreaterThan(0);
    expect(without.counters).not.toHaveProperty('statement_plans');
    expect(without.optional).toEqual([expect.stringContaining('track_planning')]);

    await client.query("ALTER SYSTEM SET pg_stat_statements.track_planning = 'on'");
    await client.query('SELECT pg_reload_conf()');
    await expect
      .poll(async () => (await client.query('SHOW pg_stat_statements.track_planning')).rows[0])
      .toMatchObject({
        'pg_stat_statements.track_planning': 'on',
      });
    const before = await probe();
    expect(before.optional).toEqual([]);
    // The server plans each statement that is sent as text; a prepared one without parameters has its plan from the
    // second on.
    for (let i = 0; i < 50; i++) await client.query(`SELECT ${i} AS as_text`);
    const literal = await probe();
    for (let i = 0; i < 50; i++) await client.query({ name: 'same', text: 'SELECT 1 AS same' });
    const prepared = await probe();
    const between = (one: ProbeSample, other: ProbeSample, name: string) => other.counters[name]! - one.counters[name]!;
    expect(between(before, literal, 'statement_calls')).toBeGreaterThanOrEqual(50);
    expect(between(before, literal, 'statement_plans')).toBeGreaterThanOrEqual(50);
    expect(between(literal, prepared, 'statement_calls')).toBeGreaterThanOrEqual(50);
    expect(between(literal, prepared, 'statement_plans')).toBeLessThan(40);
  },
  120_000,
);
