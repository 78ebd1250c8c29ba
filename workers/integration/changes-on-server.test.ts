import { expect, test } from 'vitest';
import { trialDetails } from '#analysis/server/trial-details.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startKind } from '#managed-servers/test-kind.fixture.ts';
import { lightTheme } from '#presentation/charts/kit/theme.ts';
import { throughputOverTime } from '#presentation/charts/time-panels.ts';
import { changesTexts } from '#presentation/text/change-text.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { sharedHome } from './shared-home.fixture.ts';

const own = sharedHome();

const pauseFromMs = 15_000;
const pauseMs = 8_000;

/** A server that stalls after a checkpoint during the measurement shows a change, together with the server's work. */
test.skipIf(isSkipped('embedded-postgres') || process.platform === 'win32')(
  'a pause of the server is found where it was, with the checkpoint before it, in words and on the chart',
  // The change has to exceed the scatter of the rate, which other work on the machine can enlarge.
  { timeout: 180_000 },
  async () => {
    await using server = await startKind(postgres);
    await using admin = await connectedClient(server.admin);
    const { host, port, user, password, database } = server.raw;
    const run = await newTrustedRun({
      home: own.home,
      variables: { ...process.env, DYNO_PAUSED_PASSWORD: String(password) },
      yaml: `
dyno: 1
name: Paused
question: When did the server stand still?
# By the clock: calls that wait this long have nearly the same rate on a machine with other work.
workload: { operation: statement, method: prepared, connections: 16 }
statements: { wait: { text: SELECT pg_sleep(0.05) } }
targets: [{ name: paused, engine: postgres, host: ${host}, port: ${port}, user: ${user}, password: '\${env:DYNO_PAUSED_PASSWORD}', database: ${database} }]
measure: { until: { seconds: 40 }, repeats: 1, warmupSeconds: 1 }
`,
    });
    let stopped: readonly number[] = [];
    const goOn = () => {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
      stopped = [];
    };
    const pause = async () => {
      await admin.query('CHECKPOINT');
      const { rows } = await admin.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'dyno-%' AND state IS NOT NULL",
      );
      stopped = rows.map(({ pid }) => pid);
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      timer = setTimeout(goOn, pauseMs);
    };
    let timer: NodeJS.Timeout | undefined;
    let failure: unknown = null;
    run.on('record', (record) => {
      if (record.record === 'phase' && record.phase === 'measure')
        timer = setTimeout(() => pause().catch((thrown: unknown) => (failure = thrown)), pauseFromMs);
    });
    try {
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
    } finally {
      clearTimeout(timer);
      goOn();
    }
    expect(failure).toBeNull();

    const model = await loadRun(own.home, run.file);
    const [details] = trialDetails(model);
    const fall = details!.changes.find(({ before, after }) => after < before / 4)!;
    const rise = details!.changes.find(({ before, after }) => before < after / 4)!;
    // Whole seconds, and what the checkpoint before it took.
    expect(fall.atMs).toBeGreaterThan(pauseFromMs - 1_500);
    expect(fall.atMs).toBeLessThan(pauseFromMs + 3_500);
    expect(rise.atMs - fall.atMs).toBeGreaterThan(pauseMs - 2_500);
    expect(rise.atMs - fall.atMs).toBeLessThan(pauseMs + 2_500);
    expect(fall.meanwhile).toContainEqual({ what: 'checkpoint', name: 'checkpoints_requested', count: 1 });
    const words = changesTexts(details!, model, 'rows/s');
    expect(words.find((one) => one.includes('Checkpoints by log volume or request'))).toMatch(
      /^At [\d.]+\u00a0s .*−\d/,
    );
    const chart = JSON.stringify(throughputOverTime(model, lightTheme).option.series);
    for (const { atMs } of [fall, rise]) expect(chart).toContain(`"xAxis":${atMs}`);
  },
);
