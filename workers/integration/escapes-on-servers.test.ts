import { afterAll, describe, expect, it, vi } from 'vitest';
import { openFolder } from '#engines/conformance/escapes.fixture.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { runOnce } from '#orchestrator/run/run.fixture.ts';
import { tryOnce } from '#orchestrator/try/try-once.ts';
import { experimentYaml } from './home.fixture.ts';
import { sharedHome } from './shared-home.fixture.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const folder = openFolder();
afterAll(() => folder[Symbol.dispose]());
const written = `${folder.path}/written`;

interface Escape {
  readonly target: string;
  /** Writes a file of this machine, or would. */
  readonly writes: string;
  /** Says that it reads: tried once, it is run. */
  readonly reads?: string;
}

const index = { Name: '{table}/x', Maps: ['from r in docs.{table} select new { x = X.Y }'] };
const servers: Readonly<Record<string, Escape>> = {
  sqlite: { target: 'sqlite', writes: `VACUUM INTO '${written}'` },
  postgres: {
    target: 'embedded-postgres',
    writes: `COPY (SELECT 1) TO PROGRAM 'touch ${written}'`,
    reads: "SELECT pg_read_file('/etc/passwd')",
  },
  mysql: {
    target: 'local-mariadb',
    writes: `SELECT 'x' INTO OUTFILE '${written}'`,
    reads: 'SELECT authentication_string FROM mysql.user',
  },
  mongodb: {
    target: 'local-mongodb',
    writes: JSON.stringify({ createUser: 'other', pwd: 'other', roles: ['root'] }),
    reads: JSON.stringify({ find: '{table}', filter: { $where: 'true' } }),
  },
  ravendb: {
    target: 'local-ravendb',
    writes: JSON.stringify({
      Indexes: [{ ...index, AdditionalSources: { X: 'public static class X { public static int Y = 1; }' } }],
      Query: "from index '{table}/x'",
    }),
  },
  drda: {
    target: 'local-derby',
    writes: `CALL SYSCS_UTIL.SYSCS_EXPORT_TABLE('SYS', 'SYSTABLES', '${written}', NULL, NULL, NULL)`,
    reads: 'SELECT * FROM SYS.SYSUSERS',
  },
  oracle: { target: 'oracle-emulator', writes: `COPY (SELECT 1) TO PROGRAM 'touch ${written}'` },
};

const yaml = (target: string, text: string) =>
  experimentYaml({
    rows: '100',
    columns: '{ id: { type: sequence } }',
    workload: '{ operation: statement, method: bind }',
    statements: JSON.stringify({ it: { text } }),
    targets: `[${target}]`,
    measure: '{ until: { seconds: 0.3 }, repeats: 1, warmupSeconds: 0 }',
  });

const kinds = /^(permission|authentication|other)$/;

const present = Object.entries(servers).filter(([engine]) => !isSkipped(engine));
describe.each(present)('an experiment file on %s', (_, one) => {
  const test = sharedHome();

  it('reaches nothing but Dyno’s tables by a trial', async () => {
    const { result } = await runOnce(yaml(one.target, one.writes), test.home);
    expect(result.error?.kind, result.error?.message).toMatch(kinds);
    expect(result.status).toBe('failed');
    expect(folder.entries()).toEqual([]);
  });

  it.runIf(one.reads)('reaches nothing but Dyno’s tables when it is tried once', async () => {
    const [report] = await tryOnce({
      home: test.home,
      yaml: yaml(one.target, one.reads!),
      folder: test.home.root,
      signal: new AbortController().signal,
      onActivity: () => {},
    });
    const [tried] = report!.statements;
    expect(tried, JSON.stringify(tried)).toMatchObject({
      shown: null,
      error: { kind: expect.stringMatching(kinds) },
    });
  });
});
