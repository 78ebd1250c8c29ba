import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { experimentYaml, type TestHome, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import type { Ssh } from '#model/ssh.ts';
import { checkLoadHost } from '#orchestrator/check/check-load-host.ts';
import { collect, once } from '#orchestrator/run/run.fixture.ts';
import { nodeProgram } from '#platform/node-program.ts';
import { allProcs, commandOf } from '#platform/processes.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { describeWithSshd, startSshd, type TestSshd } from '#tunnels/sshd.fixture.ts';
import { saveLoadHost } from '#workspace/load-hosts/load-host-store.ts';
import { noBus } from './agents.fixture.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

describeWithSshd(
  'load hosts over SSH',
  () => {
    let home: TestHome;
    let sshd: TestSshd;
    beforeAll(async () => {
      home = testHome();
      // The host has the Node that runs here, so it is not copied there.
      sshd = await startSshd(`SetEnv PATH="${dirname(nodeProgram())}:/usr/bin:/bin"`);
      vi.stubEnv('PATH', sshd.path);
      for (const name of ['load1', 'load2']) saveLoadHost(home.home, { name, ssh: sshd.ssh });
    });
    afterAll(async () => {
      vi.unstubAllEnvs();
      await sshd?.[Symbol.asyncDispose]();
      await home?.[Symbol.asyncDispose]();
    });

    /** The folders of agents, and those of this process's buses. */
    const folders = () =>
      readdirSync(tmpdir()).filter(
        (name) => /^dyno-agent-\w{8}$/.test(name) || (/^dyno-nats-/.test(name) && name.includes(`-${process.pid}-`)),
      );
    /** Folders that other programs left here. */
    const before = new Set(folders());
    /** The traces of runs in the folder for temporary files, and processes of agents. */
    const left = () => [...folders().filter((name) => !before.has(name)), ...agentPids()];
    const agentPids = () =>
      allProcs().flatMap(({ pid }) => (/ workers\/cli\.ts agent --stdin/.test(commandOf(pid)) ? pid : []));
    /** Processes that this one has started, by a word of their command. */
    const own = (words: RegExp) =>
      allProcs().flatMap(({ pid, parent }) => (parent === process.pid && words.test(commandOf(pid)) ? pid : []));
    /** Runs of other tests leave nothing either, but one that was killed may be cleaning up. */
    const nothingLeft = () => vi.waitFor(() => expect(left()).toEqual([]), { timeout: 30_000, interval: 200 });

    const start = async (loadFrom: string, seconds: number, repeats: number) => {
      const run = await newTrustedRun({
        home: home.home,
        yaml: experimentYaml({
          workload: `{ operation: readByKey, connections: 4, thinkMs: 20, loadFrom: "${loadFrom}" }`,
          measure: `{ until: { seconds: ${seconds} }, warmupSeconds: 0.2, repeats: ${repeats} }`,
        }),
      });
      return { run, ...collect(run) };
    };

    test('drive load though the bus dies, say how they took part, and keep nothing of it', async () => {
      await nothingLeft();
      const { run, records, results } = await start('load1*1, load2*1', 4, 1);
      once(
        run,
        ({ record }) => record === 'snapshot',
        () => {
          const [server] = own(/nats-server/);
          expect(server).toBeDefined();
          process.kill(server!, 'SIGKILL');
        },
      );
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      const [result] = results();
      expect(result?.loadHosts).toMatchObject([
        { name: 'load1', firstWorker: 0, workers: 1, connections: 2 },
        { name: 'load2', firstWorker: 1, workers: 1, connections: 2 },
      ]);
      // No snapshot was lost: each worker's add up to its whole.
      const calls = records.flatMap((one) => (one.record === 'snapshot' ? [one.snapshot] : []));
      for (const [worker, { calls: all }] of result!.loadHosts!.entries())
        expect(calls.filter((one) => one.worker === worker).reduce((sum, one) => sum + one.counts.calls, 0)).toBe(all);
      await nothingLeft();
    });

    test.runIf(whole)(
      'are tested step by step, and get Node where they have none; a login that is refused is the step that fails',
      async () => {
        await using withoutNode = await startSshd('SetEnv PATH=/usr/bin:/bin');
        vi.stubEnv('PATH', withoutNode.path);
        onTestFinished(() => void vi.stubEnv('PATH', sshd.path));
        const check = (ssh: Ssh) =>
          checkLoadHost({
            ...{ home: home.home, host: { name: 'load1', ssh }, signal: new AbortController().signal },
            onChange: () => {},
          });
        const works = await check(withoutNode.ssh);
        expect(works.steps.map(({ step, state, error }) => [step, state, error?.message])).toEqual(
          ['bus', 'login', 'copy', 'agent', 'clock', 'calibration'].map((step) => [step, 'ok', undefined]),
        );
        expect(works).toMatchObject({ state: 'ok', machine: { cores: expect.any(Number) } });
        const refused = await check({ ...withoutNode.ssh, user: 'nobody-of-dyno' });
        expect(refused.steps.map(({ state }) => state)).toEqual(['ok', 'failed', ...Array(4).fill('notTried')]);
        // Nothing of the agent was seen yet.
        expect(refused.steps[1]?.error).toMatchObject({
          kind: 'authentication',
          message: expect.stringMatching(/^The SSH session to load1 \(nobody-of-dyno@\S+\) ended: .*Permission denied/),
          hint: expect.any(String),
        });
        await nothingLeft();
      },
    );

    test.runIf(whole)('delete what agents left there that were killed with their host, and nothing else', async () => {
      const folder = (owner: string) => {
        const made = mkdtempSync(join(tmpdir(), 'dyno-agent-'));
        const named = `${made}xy`;
        renameSync(made, named);
        onTestFinished(() => rmSync(named, { recursive: true, force: true }));
        mkdirSync(join(named, 'home'));
        writeFileSync(join(named, 'owner'), owner);
        return named;
      };
      const gone = spawnSync('true').pid;
      const left = folder(`${hostname()} ${gone}\n`);
      const kept = [folder(`${hostname()} ${process.pid}\n`), folder(`another.${hostname()} ${gone}\n`), folder('')];
      const host = { name: 'load1', ssh: sshd.ssh };
      const check = { home: home.home, host, signal: new AbortController().signal, onChange: () => {} };
      expect(await checkLoadHost(check)).toMatchObject({ state: 'ok' });
      expect(existsSync(left)).toBe(false);
      expect(kept.filter((one) => !existsSync(one))).toEqual([]);
    });

    test.runIf(whole)('fail the trial whose ssh or agent was killed, and are there again for the next', async () => {
      const { run, results } = await start('local*1, load1*1', 3, 3);
      let trial = 0;
      run.on('record', (record) => {
        if (record.record !== 'phase' || record.phase !== 'measure') return;
        trial++;
        const [victim] = trial === 1 ? own(/ssh.* -R /) : trial === 2 ? agentPids() : [];
        if (victim !== undefined) void sleep(500).then(() => process.kill(victim, 'SIGKILL'));
      });
      await run.start();
      expect(results().map(({ status, error }) => [status, error?.kind])).toEqual([
        ['failed', 'workerGone'],
        ['failed', 'workerGone'],
        ['ok', undefined],
      ]);
      expect(results()[0]?.error?.message).toContain('load1');
      await nothingLeft();
    });
  },
  noBus,
);
