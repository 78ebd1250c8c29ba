import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { experimentYaml, type TestHome, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { collect, newRun, once } from '#orchestrator/run/run.fixture.ts';
import { startWorker } from '#orchestrator/worker/fork.ts';
import { instrument } from '#orchestrator/worker/targets.ts';
import { nodeProgram } from '#platform/node-program.ts';
import { allProcs, commandOf } from '#platform/processes.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import type { HostSecond } from '#protocol/host-second.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { saveLoadHost } from '#workspace/load-hosts/load-host-store.ts';
import { Agent, usualLimits } from './agent/agent.ts';
import { targetRules } from './agent/target-rules.ts';
import { noBus, startAgent, startBus, type TestAgent } from './agents.fixture.ts';
import { connectBus } from './bus/connect-bus.ts';
import { newKeyPair } from './bus/seal.ts';
import { storedKeys } from './bus/stored-keys.ts';
import { AgentHost } from './coordinator/agent-host.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const skipped = noBus ?? (isSkipped('embedded-postgres') ? 'PostgreSQL cannot be started here' : null);

describe.skipIf(skipped !== null)(skipped ?? 'load from agents on a bus', () => {
  const stack = new AsyncDisposableStack();
  let url: string;
  let home: TestHome;
  let server: TestServer;
  let agents: readonly TestAgent[];
  beforeAll(async () => {
    home = stack.use(testHome());
    server = stack.use(await startTestServer()); // Tests look at all of its tables.
    url = stack.use(await startBus()).url;
    const { publicKey } = await storedKeys(home.home, 'coordinator');
    agents = await Promise.all([1, 2].map(async () => stack.use(await startAgent(url, publicKey))));
    for (const [i, { publicKey: agent }] of agents.entries())
      saveLoadHost(home.home, { name: `load${i + 1}`, nats: url, agent });
  });
  afterAll(() => stack.disposeAsync());

  const workersOf = (agent: TestAgent) =>
    allProcs().filter(({ pid, parent }) => parent === agent.child.pid && /worker\.[jt]s/.test(commandOf(pid)));

  const targets = () => {
    const { host, port, database, user } = server.raw;
    return JSON.stringify([{ name: 'pg', engine: 'postgres', host, port, database, user, password: `\${env:PG}` }]);
  };
  const variables = () => ({ PG: String(server.raw.password) });

  /** An agent in this process, whose keys and limits the test chooses, and its coordinator. */
  const pair = async (version: string, abandonedAfterMs = 10_000) => {
    const [bus, agentBus] = [await connectBus({ url }, 'coordinator'), await connectBus({ url }, 'agent')];
    const [keys, its] = [await newKeyPair(), await newKeyPair()];
    const folder = temporaryFolder();
    const notes: string[] = [];
    const agent = await Agent.start({
      bus: agentBus,
      keys: its,
      trusted: [keys.publicKey],
      rules: targetRules([]),
      limits: { ...usualLimits, abandonedAfterMs },
      version,
      folder,
      note: (text) => notes.push(text),
    });
    const open = (name: string, own = keys) =>
      AgentHost.open({
        name,
        bus,
        keys: own,
        agent: its.publicKey,
        version: '1',
        folder,
        signal: new AbortController().signal,
      });
    const closing = async () => {
      await agent[Symbol.asyncDispose]();
      await Promise.all([bus.close(), agentBus.close()]);
    };
    return { bus, open, notes, [Symbol.asyncDispose]: closing };
  };

  test('is refused between two versions, to a second coordinator, and to one that is not trusted', async () => {
    {
      await using other = await pair('2');
      await expect(other.open('load9')).rejects.toMatchObject({
        data: { kind: 'unsupported', message: 'The agent on load9 is of Dyno 2, and this is 1.' },
      });
    }
    await using same = await pair('1');
    await using _first = await same.open('load9');
    await expect(same.open('load9')).rejects.toMatchObject({ data: { kind: 'limit' } });
    await expect(same.open('load9', await newKeyPair())).rejects.toMatchObject({
      data: { kind: 'unreachable', message: 'No agent answers for load9.' },
    });
  });

  test('tells the use of its machine each second, as long as somebody watches', async () => {
    await using watched = await pair('1');
    await using host = await watched.open('load9');
    const seconds: HostSecond[] = [];
    const ends: bigint[] = [];
    const begun = process.hrtime.bigint();
    using watch = host.watchMachine((second, endNs) => {
      seconds.push(second);
      ends.push(endNs);
    });
    await vi.waitFor(() => expect(seconds.length).toBeGreaterThan(1), { timeout: 30_000 });
    watch.end();
    expect(seconds[0]?.memory.totalBytes).toBe(host.facts.memoryBytes);
    // The clocks of one machine agree but for the error of the comparison.
    const lateMs = Number(ends[0]! - begun) / 1e6;
    expect(lateMs).toBeGreaterThan(seconds[0]!.lengthMs - 100);
  });

  test('ends when the coordinator is not heard any more', async () => {
    await using lonely = await pair('1', 3_000);
    const host = await lonely.open('load9');
    const job = { role: 'client', ...instrument, tag: 'dyno-test', secrets: [] } as const;
    const worker = await startWorker(job, host);
    expect(worker.pid).toBeGreaterThan(0);
    await lonely.bus.close();
    await vi.waitFor(() => expect(lonely.notes.at(-1)).toContain('was not heard'), { timeout: 20_000 });
    expect(allProcs().some(({ pid, state }) => pid === worker.pid && state !== 'Z')).toBe(false);
    await host[Symbol.asyncDispose]();
  });

  test.runIf(whole)('does not go on unattended after the coordinator was killed', async () => {
    const file = join(temporaryFolder(), 'long.dyno.yaml');
    writeFileSync(
      file,
      experimentYaml({
        workload: '{ operation: readByKey, connections: 2, thinkMs: 20, loadFrom: "load1*1, load2*1" }',
        measure: '{ until: { seconds: 300 }, repeats: 1 }',
      }),
    );
    const cli = fileURLToPath(new URL('../cli.ts', import.meta.url));
    const coordinator = spawn(nodeProgram(), [cli, 'run', file, '--trust', '--quiet'], {
      env: { ...process.env, DYNO_HOME: home.home.root },
      stdio: 'ignore',
    });
    const counts = () => agents.map((agent) => workersOf(agent).length);
    await vi.waitFor(() => expect(counts()).toEqual([1, 1]), { timeout: 60_000, interval: 100 });
    coordinator.kill('SIGKILL');
    await vi.waitFor(() => expect(counts()).toEqual([0, 0]), { timeout: 40_000, interval: 200 });
  });

  test.runIf(whole)('goes on where an agent was slow, and loses nothing', async () => {
    const made = await newTrustedRun({
      home: home.home,
      yaml: experimentYaml({
        workload: '{ operation: readByKey, connections: 2, thinkMs: 20, loadFrom: "load1*1, load2*1" }',
        measure: '{ until: { seconds: 4 }, warmupSeconds: 0.1, repeats: 1 }',
      }),
    });
    const { records, results } = collect(made);
    once(
      made,
      ({ record }) => record === 'snapshot',
      () => {
        agents[1]!.child.kill('SIGSTOP');
        setTimeout(() => agents[1]!.child.kill('SIGCONT'), 2_000);
      },
    );
    expect(await made.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
    expectAllSnapshots(records, results());
  });

  test('brings the same rows as one process of this machine, for any seed, and keeps the hosts apart', async () => {
    const seeds = fc.sample(
      fc.record({ data: fc.integer({ min: 1, max: 1e9 }), measure: fc.integer({ min: 1, max: 1e9 }) }),
      2,
    );
    await using digests = await noteDigests(server.admin);
    for (const seed of seeds) {
      const yaml = experimentYaml({
        targets: targets(),
        rows: `1000\n  seed: ${seed.data}`,
        workload: '{ operation: insert, method: multiRow, connections: 8, rowsPerCall: 7 }',
        factors: '{ loadFrom: [local, "load1, load2", "local*1, load2*1"] }',
        measure: `{ until: { rows: 1401 }, warmupRows: 101, repeats: 1, seed: ${seed.measure} }`,
      });
      const made = await newTrustedRun({ home: home.home, variables: variables(), yaml });
      const { records, results } = collect(made);
      expect(await made.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      for (const { totals, verification } of results()) {
        expect(totals.rows).toBe(1401);
        expect(verification).toMatchObject({ outcome: 'match', foundRows: 1502 });
      }
      const [first, ...others] = (await digests.take()).map(({ rows, digest }) => ({ rows, digest }));
      expect(first, JSON.stringify(seed)).toMatchObject({ rows: '1502', digest: expect.any(String) });
      expect(others, JSON.stringify(seed)).toEqual([first, first]);
      const hosts = results().map(({ loadHosts = [] }) => loadHosts.map(({ name }) => name).toSorted());
      expect(new Set(hosts.map(String))).toEqual(new Set(['', 'load1,load2', 'load2,local']));
      for (const { loadHosts = [] } of results()) for (const { connections } of loadHosts) expect(connections).toBe(4);
      expectAllSnapshots(records, results());
    }
  });

  test.runIf(whole)('loads a table in parts, with the same rows in it as in one piece', async () => {
    await using digests = await noteDigests(server.admin);
    const [seed = 1] = fc.sample(fc.integer({ min: 1, max: 1e9 }), 1);
    const digestsFound: unknown[] = [];
    for (const [transactions, workload] of [
      [1, 'loadFrom: local'],
      [2, 'loadFrom: "load1*1, load2*1"'],
    ] as const) {
      const { run, results } = await newRun(
        home,
        {
          targets: targets(),
          rows: `400100\n  seed: ${seed}`,
          columns:
            '{ id: { type: uuid4 }, number: { type: sequence }, payload: { type: text, length: 10, nulls: 0.1 } }',
          workload: `{ operation: readByKey, connections: 4, ${workload} }`,
          measure: '{ until: { rows: 100 }, warmupRows: 10, repeats: 1 }',
        },
        { variables: variables() },
      );
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      expect(results()[0]?.verification).toMatchObject({ outcome: 'match', foundRows: 400_100 });
      const [table] = await digests.take();
      expect(table, workload).toMatchObject({ rows: '400100', transactions: String(transactions) });
      digestsFound.push(table?.digest);
    }
    expect(new Set(digestsFound).size).toBe(1);
  });

  test.runIf(whole)(
    'leaves nothing of a table where a part of its load is killed, or the run is cancelled',
    async () => {
      const admin = new pg.Client({ ...server.admin });
      await admin.connect();
      for (const strike of ['kill', 'cancel'] as const) {
        const { run, results } = await newRun(
          home,
          {
            targets: targets(),
            rows: '3000000',
            workload: '{ operation: update, connections: 2, loadFrom: "load1*1, local*1" }',
            measure: '{ until: { seconds: 1 }, repeats: 1 }',
          },
          { variables: variables() },
        );
        const percents: number[] = [];
        run.on('progress', ({ activity }) => {
          const [, percent] = /^pg: load (\d+) %$/.exec(activity) ?? [];
          if (percent === undefined) return;
          percents.push(Number(percent));
          if (percents.length !== 4) return;
          if (strike === 'cancel') run.cancel();
          else for (const { pid } of workersOf(agents[0]!)) process.kill(pid, 'SIGKILL');
        });
        await run.start();
        expect(percents).toEqual(percents.toSorted((a, b) => a - b));
        const [result] = results();
        if (strike === 'cancel') expect(result).toMatchObject({ status: 'cancelled' });
        else {
          expect(result).toMatchObject({ status: 'failed', error: { kind: 'workerGone' } });
          expect(result?.error?.message).toMatch(
            /^The worker process on load1 did not load the rows 0 to 1,499,999: .*SIGKILL/,
          );
        }
        expect(agents.map((agent) => workersOf(agent).length)).toEqual([0, 0]);
        const { rows } = await admin.query("SELECT tablename FROM pg_tables WHERE tablename LIKE 'dyno%'");
        expect(rows).toEqual([]);
      }
      await admin.end();
    },
  );
});

/**
 * Has the server note what each table of a run holds when it is dropped: all of its rows in one digest, and how many
 * transactions they are of.
 */
async function noteDigests(admin: TestServer['admin']) {
  const client = new pg.Client({ ...admin });
  await client.connect();
  await client.query(`
    CREATE TABLE digests (number bigserial, name text PRIMARY KEY, rows bigint, digest text, transactions bigint);
    CREATE FUNCTION note_digests() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE one record; found_rows bigint; content text; written bigint;
    BEGIN
      FOR one IN SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE tablename ~ '^dyno_[^_]+_[0-9]+$' LOOP
        EXECUTE format('SELECT count(*), sum((''x'' || left(md5(t::text), 15))::bit(60)::bigint), count(DISTINCT xmin::text)
          FROM %s t', one.name) INTO found_rows, content, written;
        IF found_rows > 0 THEN
          INSERT INTO public.digests (name, rows, digest, transactions)
            VALUES (one.name, found_rows, content, written) ON CONFLICT DO NOTHING;
        END IF;
      END LOOP;
    END $$;
    CREATE EVENT TRIGGER note_digests ON ddl_command_start WHEN TAG IN ('DROP TABLE') EXECUTE FUNCTION note_digests()`);
  return {
    async take() {
      const { rows } = await client.query(
        'WITH taken AS (DELETE FROM digests RETURNING *) SELECT rows, digest, transactions FROM taken ORDER BY number',
      );
      return rows as readonly { readonly rows: string; readonly digest: string; readonly transactions: string }[];
    },
    async [Symbol.asyncDispose]() {
      await client.query('DROP EVENT TRIGGER note_digests');
      await client.query('DROP FUNCTION note_digests; DROP TABLE digests');
      await client.end();
    },
  };
}

/** The snapshots of each load host add up to the calls of its part. */
function expectAllSnapshots(records: readonly JournalRecord[], results: readonly TrialResult[]): void {
  for (const { number, loadHosts = [] } of results)
    for (const { firstWorker, workers, calls } of loadHosts) {
      const own = records.flatMap((one) =>
        one.record === 'snapshot' &&
        one.trial === number &&
        one.snapshot.worker >= firstWorker &&
        one.snapshot.worker < firstWorker + workers
          ? [one.snapshot.counts.calls]
          : [],
      );
      expect(own.reduce((sum, one) => sum + one, 0)).toBe(calls);
    }
}
