import { describe, expect, test, vi } from 'vitest';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { comparedSettingsTable } from '#analysis/settings/compared-settings.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { findOpenssl } from '#managed-servers/servers/server-certificate.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { sessionTable } from '#presentation/tables/comparison/session-table.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { keeping, sharedHome } from './shared-home.fixture.ts';
import { newTrustedRun } from './trusted.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

interface Sessions {
  readonly engine: string;
  readonly setting: string;
  readonly value: string | number;
  /** The value as the server reports it. */
  readonly reported: string;
  /** Finds a row where the session has the value. */
  readonly text: string;
  /** A setting that the rules know nothing of, and the server's words about it. */
  readonly wrong: Readonly<Record<string, string>>;
  readonly refusal: RegExp | null;
}

const targets: Readonly<Record<string, Sessions>> = {
  'embedded-postgres': {
    engine: 'postgres',
    setting: 'plan_cache_mode',
    value: 'force_generic_plan',
    reported: 'force_generic_plan',
    text: "SELECT 1 AS one WHERE current_setting('plan_cache_mode') = 'force_generic_plan'",
    wrong: { work_mem: '1 parsec' },
    refusal: /session\.postgres\.work_mem.*invalid value for parameter "work_mem"/,
  },
  'local-mariadb': {
    engine: 'mysql',
    setting: 'sort_buffer_size',
    value: 1_048_576,
    reported: '1048576',
    text: 'SELECT 1 AS one FROM DUAL WHERE @@SESSION.sort_buffer_size = 1048576',
    wrong: { innodb_flush_log_at_trx_commit: '2' },
    refusal: /session\.mysql\.innodb_flush_log_at_trx_commit.*GLOBAL/,
  },
  sqlite: {
    engine: 'sqlite',
    setting: 'cache_size',
    value: -1_234,
    reported: '-1234',
    text: 'SELECT 1 AS one FROM pragma_cache_size WHERE cache_size = -1234',
    wrong: {},
    refusal: null,
  },
};

const here = smokeOf(Object.entries(targets));
const own = sharedHome(keeping(...here.map(([target]) => target)));

async function ran(target: string, text: string, levels: object, repeats = 2): Promise<RunModel> {
  const yaml = JSON.stringify({
    ...{ dyno: 1, name: 'Sessions', question: 'What do settings of sessions change?' },
    workload: { operation: 'statement', method: 'prepared', connections: 2, processes: 2, thinkMs: 5 },
    statements: { look: { text, isRead: true, expectRows: { min: 0 } } },
    factors: { plans: levels },
    targets: [target],
    measure: { until: { seconds: 0.5 }, repeats, warmupSeconds: 0, order: 'declared' },
  });
  const run = await newTrustedRun({ home: own.home, yaml });
  await run.start();
  return loadRun(own.home, run.file);
}

for (const [target, { engine, setting, value, reported, text, wrong, refusal }] of here)
  describe.skipIf(isSkipped(target))(target, () => {
    test('sessions of a variant have its setting, the server says so, and later trials of others do not have it', async () => {
      const changed = { session: { [engine]: { [setting]: value } } };
      const model = await ran(target, text, { 'as it is': {}, changed, 'once more': changed });
      // Levels that are equal are one variant.
      expect(model.trials.map(({ trial, result }) => [trial.variant, result?.error ?? result?.status])).toEqual([
        ['plans=as it is', 'ok'],
        ['plans=changed', 'ok'],
        ['plans=as it is', 'ok'],
        ['plans=changed', 'ok'],
      ]);
      for (const { trial, result } of model.trials) {
        const isChanged = trial.variant === 'plans=changed';
        expect(result!.sessionSettings).toEqual(isChanged ? { [setting]: reported } : undefined);
        expect(result!.statements![0]!.rows > 0).toBe(isChanged);
      }
      const [row] = sessionTable(model).rows;
      expect(row!.cells.slice(-3)).toEqual([setting, String(value), reported]);
      const compared = comparedSettingsTable(model).find((one) => one.setting === setting);
      expect(compared!.values).toEqual([expect.stringMatching(new RegExp(`; by variants ${reported}$`))]);
    });

    test.runIf(refusal)('a setting that the server refuses fails the trial with the server’s words', async () => {
      const model = await ran(target, text, { 'as it is': {}, wrong: { session: { [engine]: wrong } } }, 1);
      expect(model.trials.map(({ result }) => result?.status)).toEqual(['ok', 'failed']);
      expect(model.trials[1]!.result!.error).toMatchObject({
        kind: 'badInput',
        message: expect.stringMatching(refusal!),
      });
    });
  });

test.skipIf(isSkipped('embedded-postgres') || findOpenssl() === null)(
  'sessions have the TLS of their variant, and the run shows the cipher that the server reports',
  async () => {
    const levels = { plain: { tls: 'off' }, encrypted: { tls: 'on', callsPerConnection: 2 } };
    const text = 'SELECT 1 AS one FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl';
    const model = await ran('embedded-postgres', text, levels, 1);
    expect(model.trials.map(({ result }) => result?.error ?? result?.status)).toEqual(['ok', 'ok']);
    const [plain, encrypted] = model.trials.map(({ result }) => result!);
    expect(plain!.sessionSettings).toEqual({ TLS: 'off' });
    expect(encrypted!.sessionSettings).toEqual({ TLS: expect.stringMatching(/^TLSv1\.[23] \w+/) });
    expect([plain!.statements![0]!.rows > 0, encrypted!.statements![0]!.rows > 0]).toEqual([false, true]);
    expect(encrypted!.totals!.connecting!.openMs).toBeGreaterThan(0);
    const transport = comparedSettingsTable(model).find(({ setting }) => /TLS|encrypt/i.test(setting));
    expect(transport!.values).toEqual([`by variants off, ${encrypted!.sessionSettings!.TLS}`]);
  },
);

test.skipIf(isSkipped('embedded-postgres'))(
  'weaker durability of some variants is a caveat with the real values',
  async () => {
    const levels = { strict: {}, weak: { session: { postgres: { synchronous_commit: 'off' } } } };
    const model = await ran('embedded-postgres', 'SELECT 1 AS one', levels, 1);
    expect(model.caveats.filter(({ title }) => title === 'Unequal durability')).toEqual([
      expect.objectContaining({
        cell: { target: 'embedded-postgres' },
        text: expect.stringContaining('synchronous_commit: on; off, by variants.'),
      }),
    ]);
  },
);
