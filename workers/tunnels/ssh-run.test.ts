import { expect, test, vi } from 'vitest';
import { setupRows } from '#analysis/settings/setup-rows.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { sharedTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { Connection } from '#model/connections.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { childPids } from '#platform/processes.fixture.ts';
import { calibrationTable } from '#presentation/tables/client/calibration-table.ts';
import { clientTimeTable } from '#presentation/tables/client/client-time-table.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { describeWithSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

describeWithSshd(
  'a run through an SSH tunnel',
  () => {
    let sshd: TestSshd;
    let server: TestServer;
    beforeTests(async (opened) => {
      server = opened.use(await sharedTestServer());
      sshd = opened.use(await startSshd());
      vi.stubEnv('PATH', sshd.path);
      opened.defer(() => void vi.unstubAllEnvs());
    });

    const connection = (): Omit<Connection, 'id'> => {
      const { host, port, database, user } = server.raw;
      return {
        name: 'far',
        engine: 'postgres',
        values: { host: String(host), port: Number(port), database: String(database), user: String(user) },
        passwords: { password: 'ask' },
        ssh: sshd.ssh,
      };
    };
    const start = async (test: ReturnType<typeof testHome>, parts: Parameters<typeof experimentYaml>[0]) => {
      const { id } = openConnectionStore(test.home).save({ id: null, ...connection() });
      const yaml = experimentYaml({
        targets: '[far]',
        rows: '500',
        workload: '{ operation: readByKey, thinkMs: 20 }',
        ...parts,
      });
      const passwords = { [id]: { password: String(server.raw.password) } };
      const run = await newTrustedRun({ home: test.home, yaml, passwords });
      return { run, ...collect(run) };
    };

    test('says so, judges no network by the tunnel’s handshakes, and leaves no process', async () => {
      await using home = testHome();
      const { run, results } = await start(home, {
        factors: '{ networkRoundTripMs: [0, 10] }',
        measure: '{ until: { seconds: 1 }, repeats: 1, warmupSeconds: 0.2 }',
      });
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      expect(childPids('tunnel-process.')).toEqual([]);
      expect(results().map(({ roundTrip }) => roundTrip)).toMatchObject([
        { handshakes: null, tunnel: 'ssh' },
        { handshakes: null, tunnel: 'ssh' },
      ]);
      const model = await loadRun(home.home, run.file);
      expect(model.targets[0]?.details['SSH tunnel']).toContain(`127.0.0.1:${sshd.ssh.port}`);
      expect(JSON.stringify(calibrationTable(model))).toContain('Round trip to far, through an SSH tunnel');
      expect(JSON.stringify(clientTimeTable(model))).toContain('behind an SSH tunnel');
      expect(setupRows(model).find(({ setting }) => setting === 'where it runs')?.values).toEqual([
        'behind an SSH tunnel',
      ]);
      // The network emulator stands before the tunnel, whose connections it delays.
      const delayed = model.cells.find(({ network }) => network !== null);
      expect(delayed?.latencyMs?.p50 ?? 0).toBeGreaterThan(10);
    });

    test('whose tunnel breaks has lost its connections, and the next trial opens another one', async () => {
      await using home = testHome();
      const { run, records, results } = await start(home, {
        measure: '{ until: { seconds: 2 }, repeats: 2, warmupSeconds: 0.2 }',
      });
      let isBroken = false;
      run.on('record', ({ record }) => {
        if (record !== 'snapshot' || isBroken) return;
        isBroken = true;
        sshd.dropSessions();
      });
      expect(await run.start()).toMatchObject({ failedTrials: 1 });
      expect(records.length).toBeGreaterThan(0);
      expect(results().map(({ status }) => status)).toEqual(['failed', 'ok']);
      expect(results()[0]?.error).toMatchObject({
        kind: 'serverGone',
        message: expect.stringMatching(/^The SSH tunnel through .* broke: /),
      });
      expect(childPids('tunnel-process.')).toEqual([]);
    });

    test('a check names the port behind the tunnel at which nothing answers', async () => {
      await using home = testHome();
      const { values, ...rest } = connection();
      const report = await checkTarget({
        home: home.home,
        target: usersConnection({ id: 'a1', ...rest, values: { ...values, port: 1 } }),
        passwords: { a1: { password: 'x' } },
        variables: {},
        signal: new AbortController().signal,
        onChange: () => {},
      });
      const states = Object.fromEntries(report.steps.map(({ step, state }) => [step, state]));
      expect(states).toMatchObject({ tunnel: 'ok', name: 'skipped', port: 'failed', login: 'notTried' });
      expect(report.steps.find(({ step }) => step === 'port')?.error).toMatchObject({
        kind: 'unreachable',
        message: expect.stringContaining('Connection refused'),
      });
    });
  },
  isSkipped('embedded-postgres') ? 'PostgreSQL cannot be started here' : null,
);
