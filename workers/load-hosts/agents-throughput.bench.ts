import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '#model/settings/settings.ts';
import { type HostWorkers, runClients } from '#orchestrator/worker/clients.ts';
import { loadHostVersion } from '#orchestrator/worker/load-host-version.ts';
import { startAgent, startBus } from './agents.fixture.ts';
import { connectBus } from './bus/connect-bus.ts';
import { newKeyPair } from './bus/seal.ts';
import { AgentHost } from './coordinator/agent-host.ts';
import { localHost } from './local-host.ts';

/**
 * What one, two and three agents reach together: real agents and workers in processes of their own, and an engine that
 * waits in each call and does nothing else, so that the connections are the limit and the processors of this machine,
 * which all of them share, are not.
 */
const seconds = 5;
const delayMs = 5;
const connectionsPerHost = 8;
const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
const keys = await newKeyPair();
await using bus = await startBus();
const connection = await connectBus({ url: bus.url }, 'coordinator');
await using stack = new AsyncDisposableStack();
stack.defer(() => rmSync(folder, { recursive: true, force: true }));
stack.defer(() => connection.close());
const agents: AgentHost[] = [];
for (const name of ['load1', 'load2', 'load3']) {
  const { publicKey: agent } = stack.use(await startAgent(bus.url, keys.publicKey));
  const signal = new AbortController().signal;
  const options = { name, bus: connection, keys, agent, version: loadHostVersion, folder, signal };
  agents.push(stack.use(await AgentHost.open(options)));
}

console.log(['load from', 'calls/s', 'busiest process', 'start skew, ms', 'clock error, ms'].join('\t'));
await measure('this machine', [{ host: localHost, workers: 1 }]);
for (const count of [1, 2, 3])
  await measure(
    `${count} ${count === 1 ? 'agent' : 'agents'}`,
    agents.slice(0, count).map((host) => ({ host, workers: 1 })),
  );

async function measure(label: string, hosts: readonly HostWorkers[]): Promise<void> {
  const { results, error } = await runClients({
    ...{ engine: 'noop', config: { delayMs }, secrets: [], tag: 'dyno-bench', hosts },
    settings: { ...defaultSettings, operation: 'readByKey', connections: connectionsPerHost * hosts.length },
    job: {
      table: { name: 't', columns: [], key: 0, options: {} },
      dataset: { rows: 1_000, seed: 1, key: 'id', columns: { id: { type: 'sequence', start: 1, nulls: 0 } } },
      measure: {
        ...{ repeats: 1, until: 'time', rows: 1, seconds, warmupSeconds: 0.5, warmupRows: 0, timeoutSeconds: 60 },
        ...{ order: 'declared', seed: 1 },
      },
      ...{ loadedRows: 1_000, trialSeed: 1 },
    },
    signal: new AbortController().signal,
    onPhase: () => {},
    onSnapshot: () => {},
    onSilence: () => {},
    beforeMeasure: async () => {},
    whileMeasuring: () => {},
  });
  if (error) throw new Error(error.message);
  const began = results.map(({ beganNs }) => Number(BigInt(beganNs) / 1_000n) / 1e3);
  const calls = results.reduce((sum, { totals }) => sum + totals.calls, 0);
  const errors = hosts.flatMap(({ host }) => host.clock?.errorMs ?? []);
  console.log(
    [
      label,
      Math.round(calls / seconds),
      `${Math.round(100 * Math.max(...results.map(({ health }) => health.eventLoopUtilisation)))} %`,
      (Math.max(...began) - Math.min(...began)).toFixed(2),
      errors.length === 0 ? '–' : Math.max(...errors).toFixed(2),
    ].join('\t'),
  );
}
