import { testHome } from '#integration/home.fixture.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { startNetworkEmulator } from '#network-emulator/network-emulator.ts';
import { newRun } from '#orchestrator/run/run.fixture.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { saveLoadHost } from '#workspace/load-hosts/load-host-store.ts';
import { startAgent, startBus } from './agents.fixture.ts';
import { storedKeys } from './bus/stored-keys.ts';

/**
 * The throughput of one, two and three agents together against one target: whole runs, with real agents in processes
 * and homes of their own. All of it shares the processors of this machine, so that the connections have to be the
 * limit: each waits in its call, for an engine that does nothing else, or for a server behind the network emulator.
 */
const waitMs = 20;
const seconds = 5;
const connectionsPerHost = 8;
const names = ['load1', 'load2', 'load3'];

await using stack = new AsyncDisposableStack();
const home = stack.use(testHome());
const bus = stack.use(await startBus());
const { publicKey: coordinator } = await storedKeys(home.home, 'coordinator');
for (const name of names) {
  const { publicKey: agent } = stack.use(await startAgent(bus.url, coordinator));
  saveLoadHost(home.home, { name, nats: bus.url, agent });
}

console.log(`${connectionsPerHost} connections for each host, each waits ${waitMs} ms in its call, ${seconds} s`);
await measureAll('noop', { engine: 'noop', delayMs: waitMs });
const server = stack.use(await startTestServer());
const { host, port, user, password, database } = server.raw as Readonly<Record<string, string | number>>;
const endpoint = { host: String(host), port: Number(port) };
const shape = { roundTripMs: waitMs, jitterMs: 0, mbit: 0, seed: 1 };
const emulator = stack.use(await startNetworkEmulator(shape, [endpoint]));
await measureAll(
  `PostgreSQL ${waitMs} ms away`,
  { engine: 'postgres', ...emulator.instead(endpoint), user, database, password: `\${env:PASSWORD}` },
  { PASSWORD: String(password) },
);

/** Measures one process of this machine, then one, two and three agents with one process each; prints a table. */
async function measureAll(title: string, target: object, variables: NodeJS.ProcessEnv = {}): Promise<void> {
  console.log(`\n${title}`);
  const heads = ['load from', 'calls/s', 'if none waits longer', 'calls/s of each', 'busy of each'];
  console.log([...heads, 'p50, ms', 'p99, ms', 'skew, ms', 'clock error, ms'].join('\t'));
  for (const hosts of [['local'], ...names.map((_, i) => names.slice(0, i + 1))])
    console.log((await measured(hosts, target, variables)).join('\t'));
}

async function measured(
  hosts: readonly string[],
  target: object,
  variables: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const connections = connectionsPerHost * hosts.length;
  const { run, results } = await newRun(
    home,
    {
      targets: JSON.stringify([{ name: 'one', ...target }]),
      workload: JSON.stringify({
        operation: 'readByKey',
        connections,
        processes: hosts.length,
        loadFrom: hosts.map((name) => `${name}*1`).join(', '),
      }),
      measure: `{ until: { seconds: ${seconds} }, warmupSeconds: 1, repeats: 1 }`,
    },
    { variables },
  );
  await run.start();
  const [result] = results();
  if (result?.status !== 'ok') throw new Error(result?.error?.message ?? 'The trial did not end well.');
  const { totals, elapsedMs, health, loadHosts } = result;
  const perSecond = (calls: number) => ((1_000 * calls) / elapsedMs).toFixed(0);
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  const parts = loadHosts ?? [{ calls: totals.calls, eventLoopUtilisation: health.eventLoopUtilisation }];
  const service = Histogram.decode(totals.service);
  const furthest = (of: (part: NonNullable<typeof loadHosts>[number]) => number | null) =>
    loadHosts ? Math.max(...loadHosts.map((part) => of(part) ?? 0)).toFixed(2) : '–';
  return [
    hosts[0] === 'local' ? 'this machine' : `${hosts.length} ${hosts.length === 1 ? 'agent' : 'agents'}`,
    perSecond(totals.calls),
    ((1_000 / waitMs) * connections).toFixed(0),
    parts.map(({ calls }) => perSecond(calls)).join(' + '),
    parts.map(({ eventLoopUtilisation }) => percent(eventLoopUtilisation)).join(' + '),
    ...[50, 99].map((p) => (service.percentile(p) / 1e6).toFixed(2)),
    furthest(({ beganAfterMs }) => beganAfterMs),
    furthest(({ clockErrorMs }) => clockErrorMs),
  ];
}
