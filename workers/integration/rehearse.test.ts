import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { startPostgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { dyno } from './cli.fixture.ts';
import { testHome } from './home.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 300_000 });

test.skipIf(isSkipped('postgres'))(
  'a rehearsal reads a server alone, tries, measures, decides, and shows the decision again',
  async () => {
    const more = ['-c', 'shared_preload_libraries=pg_stat_statements'];
    await using server = await startInFolder((folder) => startPostgres(folder, () => {}, more));
    const client = new pg.Client({ ...server.admin });
    await client.connect();
    for (const sql of [
      'CREATE EXTENSION pg_stat_statements',
      'CREATE TABLE bills (id int PRIMARY KEY, person int NOT NULL, total int NOT NULL)',
      'INSERT INTO bills SELECT i, 1 + i % 100, i FROM generate_series(1, 2000) i',
      'CREATE INDEX ON bills (person)',
      'ANALYZE',
    ])
      await client.query(sql);
    for (let i = 1; i <= 20; i++) {
      await client.query('SELECT sum(total) FROM bills WHERE person = $1', [i]);
      await client.query('SELECT DISTINCT ON (person) person, id FROM bills WHERE id < $1 ORDER BY person, id', [i]);
      await client.query('UPDATE bills SET total = total + 1 WHERE id = $1', [i]);
    }
    const before = await client.query('SELECT sum(total) FROM bills');
    await using home = testHome();
    const { password, ca: _, ...values } = server.admin as Record<string, string>;
    openConnectionStore(home.home).save({
      ...{ id: null, name: 'shop', engine: 'postgres', values },
      passwords: { password: 'ask' },
    });
    process.env.DYNO_PASSWORD_SHOP = password;
    try {
      const folder = join(temporaryFolder(), 'steps');
      const command = ['rehearse', 'shop', '--on', 'sqlite', '--yes', '--folder', folder, '--json', '-'];
      const quick = ['--repeats', '2', '--seconds', '0.2'];
      const ran = await dyno(home.home, ...command, ...quick);
      expect(ran.err).toContain('The reference is postgres@18');
      const { decision } = JSON.parse(ran.out);
      const [candidate] = decision.candidates;
      const verdicts = Object.fromEntries(
        candidate.statements.map((one: { statement: string; verdict: string }) => [one.statement, one.verdict]),
      );
      // Two of the load, and the sum of this test.
      expect(Object.keys(verdicts)).toHaveLength(3);
      expect(Object.values(verdicts)).toContain('doesNotRun');
      const refused = candidate.statements.find((one: { verdict: string }) => one.verdict === 'doesNotRun');
      expect(refused.why).toMatch(/syntax error|near/);
      const run = candidate.statements.find((one: { verdict: string }) => one.verdict !== 'doesNotRun');
      expect(run.answers).toMatchObject({ outcome: 'equal' });
      expect(decision.covered).toBeGreaterThan(0);
      expect(decision.covered).toBeLessThan(1);
      expect(decision.leftOut.map(({ why }: { why: string }) => why)).toContain('It changes bills.');
      expect(ran.code).toBe(exitCodes.rehearsalWorse);

      const runs = readdirSync(home.home.runs).filter((name) => name.endsWith('.dyno-run'));
      expect(runs).toHaveLength(1);
      const again = await dyno(home.home, ...command, ...quick);
      expect(again.err).toContain('This rehearsal is complete');
      expect(again.code).toBe(exitCodes.rehearsalWorse);
      expect(JSON.parse(again.out).decision).toEqual(decision);
      expect(readdirSync(home.home.runs).filter((name) => name.endsWith('.dyno-run'))).toEqual(runs);

      // The server was only read, and nothing of Dyno's is left there.
      expect(await client.query('SELECT sum(total) FROM bills')).toMatchObject({ rows: before.rows });
      const left = await client.query("SELECT 1 FROM pg_class WHERE relname LIKE 'dyno%'");
      expect(left.rows).toEqual([]);
      const file = readdirSync(home.home.experiments).find((name) => name.startsWith('rehearsal-of-shop'))!;
      expect(readFileSync(join(home.home.experiments, file), 'utf8')).toContain('timeShare');
    } finally {
      delete process.env.DYNO_PASSWORD_SHOP;
      await client.end();
    }
  },
);
