import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { defaultSettings } from '#model/settings/settings.ts';
import { runClients } from '#orchestrator/worker/clients.ts';
import { instrument } from '#orchestrator/worker/targets.ts';
import { nodeProgram } from '#platform/node-program.ts';
import { startBus } from './agents.fixture.ts';
import { connectBus } from './bus/connect-bus.ts';
import { newKeyPair } from './bus/seal.ts';
import { AgentHost } from './coordinator/agent-host.ts';

/**
 * The cost of N agents to a coordinator: simulated agents with the real protocol, real sealing and a real nats-server,
 * whose workers make no calls and send a snapshot a second with a histogram like a busy worker's. All of it shares this
 * machine, so that the skew is that of its processors, too. DYNO_BENCH_AGENTS: the numbers of agents, with commas.
 */
const numbers = (process.env.DYNO_BENCH_AGENTS ?? '1,10,50,100,200').split(',').map(Number);
const seconds = 5;
const agentsPerProcess = 50;
const program = fileURLToPath(new URL('./simulated-agents.fixture.ts', import.meta.url));
const signal = new AbortController().signal;

console.log(
  ['agents', 'open, s', 'coordinator, cores', 'memory, MB', 'received, kB/s', 'snapshots', 'start skew, ms'].join('\t'),
);
for (const number of numbers) console.log((await measured(number)).join('\t'));

async function measured(number: number): Promise<readonly (string | number)[]> {
  await using bus = await startBus();
  const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
  const keys = await newKeyPair();
  const processes = Array.from({ length: Math.ceil(number / agentsPerProcess) }, (_, i) => {
    const count = Math.min(agentsPerProcess, number - i * agentsPerProcess);
    const args = [program, bus.url, keys.publicKey, String(count), String(seconds)];
    const child = spawn(nodeProgram(), args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const found = new Promise<readonly string[]>((resolve) => {
      const all: string[] = [];
      lines.on('line', (line) => {
        all.push(line);
        if (all.length === count) resolve(all);
      });
    });
    return { child, keys: found };
  });
  const connection = await connectBus({ url: bus.url }, 'coordinator');
  try {
    const agents = (await Promise.all(processes.map((one) => one.keys))).flat();
    const openedAt = performance.now();
    const hosts: AgentHost[] = [];
    for (let i = 0; i < agents.length; i += 10)
      hosts.push(
        ...(await Promise.all(
          agents.slice(i, i + 10).map((agent, j) => {
            const name = `agent${i + j}`;
            return AgentHost.open({ name, bus: connection, keys, agent, version: 'simulated', folder, signal });
          }),
        )),
      );
    const openSeconds = (performance.now() - openedAt) / 1_000;
    let snapshots = 0;
    let began = { at: 0, cpu: process.cpuUsage(), bytes: 0 };
    let ended = began;
    const read = () => ({ at: performance.now(), cpu: process.cpuUsage(), bytes: connection.stats().inBytes });
    const outcome = await runClients({
      ...instrument,
      secrets: [],
      tag: 'dyno-bench',
      settings: { ...defaultSettings, operation: 'readByKey', connections: number },
      hosts: hosts.map((host) => ({ host, workers: 1 })),
      job: {
        table: { name: 't', columns: [], key: 0, options: {} },
        dataset: { rows: 1, seed: 1, key: 'id', columns: {} },
        measure: {
          repeats: 1,
          until: 'time',
          rows: 1,
          seconds,
          warmupSeconds: 0,
          warmupRows: 0,
          timeoutSeconds: 60,
          order: 'declared',
          seed: 1,
        },
        loadedRows: 1,
        trialSeed: 1,
      },
      signal,
      onPhase: () => {},
      onSnapshot: () => {
        snapshots++;
        ended = read();
      },
      onSilence: () => {},
      beforeMeasure: async () => {},
      whileMeasuring: () => {
        began = read();
      },
    });
    if (outcome.error) throw new Error(outcome.error.message);
    const starts = outcome.results.map(({ beganNs }) => Number(BigInt(beganNs) / 1_000n) / 1e3);
    const wall = ended.at - began.at;
    const cpu = (ended.cpu.user + ended.cpu.system - began.cpu.user - began.cpu.system) / 1_000;
    const memory = process.memoryUsage().rss / 1e6;
    await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()));
    return [
      number,
      openSeconds.toFixed(1),
      (cpu / wall).toFixed(3),
      memory.toFixed(0),
      ((ended.bytes - began.bytes) / wall).toFixed(0),
      snapshots,
      (Math.max(...starts) - Math.min(...starts)).toFixed(1),
    ];
  } finally {
    await connection.close();
    for (const { child } of processes) child.stdin?.end();
    await Promise.all(processes.map(({ child }) => new Promise((resolve) => child.once('exit', resolve))));
    rmSync(folder, { recursive: true, force: true });
  }
}
