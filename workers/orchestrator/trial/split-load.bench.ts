import { testHome } from '#integration/home.fixture.ts';
import { startAgent, startBus } from '#load-hosts/agents.fixture.ts';
import { storedKeys } from '#load-hosts/bus/stored-keys.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { saveLoadHost } from '#workspace/load-hosts/load-host-store.ts';
import { newRun } from '../run/run.fixture.ts';

/**
 * Measures the duration of PostgreSQL's load phase by number of processes, including their start and end, and the
 * resulting size of table and index. Server, processes and agents share the processors of this machine.
 */
const repeats = 3;
const rowCounts = [400_000, 1_000_000];
const placed = ['processes: 1', 'processes: 2', 'loadFrom: "load1*1, load2*1"'];

await using stack = new AsyncDisposableStack();
const home = stack.use(testHome());
const bus = stack.use(await startBus());
const { publicKey: coordinator } = await storedKeys(home.home, 'coordinator');
for (const name of ['load1', 'load2']) {
  const { publicKey: agent } = stack.use(await startAgent(bus.url, coordinator));
  saveLoadHost(home.home, { name, nats: bus.url, agent });
}
const { raw } = stack.use(await startTestServer());
const target = { name: 'pg', engine: 'postgres', ...raw, password: `\${env:PASSWORD}` };

console.log(['rows', 'loaded by', 'load, s (each repeat)', 'table, MB', 'index, MB'].join('\t'));
for (const rows of rowCounts)
  for (const where of placed) {
    const { run, results } = await newRun(
      home,
      {
        rows: String(rows),
        targets: JSON.stringify([target]),
        workload: `{ operation: update, connections: 4, ${where} }`,
        measure: `{ until: { rows: 1000 }, warmupRows: 100, repeats: ${repeats} }`,
      },
      { variables: { PASSWORD: String((raw as { readonly password?: unknown }).password) } },
    );
    await run.start();
    const failed = results().find(({ status }) => status !== 'ok');
    if (failed) throw new Error(failed.error?.message ?? failed.status);
    const seconds = results().map(({ phaseMs }) => ((phaseMs.load ?? 0) / 1_000).toFixed(2));
    const stored = results().at(-1)?.storedBytes;
    const mb = (bytes = 0) => (bytes / 1e6).toFixed(1);
    console.log([rows, where, seconds.join(' '), mb(stored?.tableBytes), mb(stored?.indexBytes)].join('\t'));
  }
