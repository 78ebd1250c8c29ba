import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFolder } from '#engines/conformance/escapes.fixture.ts';
import { tryTrusted } from '#integration/trusted.fixture.ts';
import { runOnce } from '#orchestrator/run/run.fixture.ts';
import { experimentYaml } from '../home.fixture.ts';
import type { OnServer } from './server.fixture.ts';

interface Escape {
  /** An attempt to write a file of this machine. */
  readonly writes: string;
  /** True if the text claims to read only, so that a try runs it. */
  readonly reads?: string;
}

const index = { Name: '{table}/x', Maps: ['from r in docs.{table} select new { x = X.Y }'] };
const escapesTo = (written: string): Readonly<Record<string, Escape>> => ({
  sqlite: { writes: `VACUUM INTO '${written}'` },
  postgres: {
    writes: `COPY (SELECT 1) TO PROGRAM 'touch ${written}'`,
    reads: "SELECT pg_read_file('/etc/passwd')",
  },
  mysql: {
    writes: `SELECT 'x' INTO OUTFILE '${written}'`,
    reads: 'SELECT authentication_string FROM mysql.user',
  },
  mongodb: {
    writes: JSON.stringify({ createUser: 'other', pwd: 'other', roles: ['root'] }),
    reads: JSON.stringify({ find: '{table}', filter: { $where: 'true' } }),
  },
  ravendb: {
    writes: JSON.stringify({
      Indexes: [{ ...index, AdditionalSources: { X: 'public static class X { public static int Y = 1; }' } }],
      Query: "from index '{table}/x'",
    }),
  },
  drda: {
    writes: `CALL SYSCS_UTIL.SYSCS_EXPORT_TABLE('SYS', 'SYSTABLES', '${written}', NULL, NULL, NULL)`,
    reads: 'SELECT * FROM SYS.SYSUSERS',
  },
  oracle: { writes: `COPY (SELECT 1) TO PROGRAM 'touch ${written}'` },
});

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

/** Tests that an experiment file reaches nothing but Dyno's tables. */
export function testEscapes(server: OnServer): void {
  let folder: ReturnType<typeof openFolder>;
  beforeAll(() => {
    folder = openFolder();
  });
  afterAll(() => folder[Symbol.dispose]());
  const attempts = () => escapesTo(`${folder.path}/written`)[server.engine]!;

  it('a statement reaches nothing but Dyno’s tables by a trial', async () => {
    const { result } = await runOnce(yaml(server.target, attempts().writes), server.home);
    expect(result.error?.kind, result.error?.message).toMatch(kinds);
    expect(result.status).toBe('failed');
    expect(folder.entries()).toEqual([]);
  });

  it.runIf(escapesTo('')[server.engine]?.reads)(
    'a statement reaches nothing but Dyno’s tables when it is tried once',
    async () => {
      const [report] = await tryTrusted({
        home: server.home,
        yaml: yaml(server.target, attempts().reads!),
        folder: server.home.root,
        signal: new AbortController().signal,
        onActivity: () => {},
      });
      const [tried] = report!.statements;
      expect(tried, JSON.stringify(tried)).toMatchObject({
        shown: null,
        error: { kind: expect.stringMatching(kinds) },
      });
    },
  );
}
