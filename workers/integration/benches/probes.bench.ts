import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { EngineConfig } from '#engine-api/config.ts';
import type { Engine } from '#engine-api/engine.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import { makeRows, table as rowsTable, toBatch } from '#engines/conformance/rows.ts';
import { config as mysqlConfig } from '#engines/mysql/config.ts';
import { engine as mysql } from '#engines/mysql/engine.ts';
import { config as postgresConfig } from '#engines/postgres/config.ts';
import { engine as postgres } from '#engines/postgres/engine.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { postgres as postgresKind } from '#managed-servers/servers/postgres/postgres.ts';
import { startKind } from '#managed-servers/test-kind.fixture.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { meanInterval } from '#stats/intervals/intervals.ts';

/**
 * The cost of reading a server's counters once a second: single-row inserts over four connections, with and without
 * probes, in turns. One probe per second would be lost in the machine's other work, so the server is probed twenty
 * times as often, and the loss is divided by the number of probes. Probes run in a separate thread, like the separate
 * process in a run.
 */
const pairs = 24;
const stretchMs = 1_000;
const everyMs = 50;
const connections = 4;
const tag = 'dyno-bench-probes';
const signal = new AbortController().signal;

const engines: Readonly<Record<string, Engine>> = { postgres, mysql };

async function probeWhenTold(id: string, config: EngineConfig): Promise<void> {
  const database = await engines[id]!.open(config, tag, signal);
  let isOn = false;
  parentPort!.on('message', (on: boolean) => {
    isOn = on;
  });
  parentPort!.postMessage(null);
  for (;;) {
    if (!isOn) {
      await sleep(1);
      continue;
    }
    const since = performance.now();
    await database.probe();
    const tookMs = performance.now() - since;
    parentPort!.postMessage(tookMs);
    await sleep(Math.max(0, everyMs - tookMs));
  }
}

/** Median of fifty. */
async function medianMs(call: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < 50; i++) {
    const since = performance.now();
    await call();
    took.push(performance.now() - since);
  }
  return took.toSorted((a, b) => a - b)[25]!;
}

/** Processor time of the server for a call, mean of two hundred; null except on Linux (proc(5), schedstat). */
async function processorOf(pid: number, call: () => Promise<unknown>): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const calls = 200;
  const before = processorMs(pid);
  for (let i = 0; i < calls; i++) await call();
  return (processorMs(pid) - before) / calls;
}

function processorMs(pid: number): number {
  let ms = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${task}`;
    ms += Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    const children = readFileSync(`${folder}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) ms += processorMs(Number(child));
  }
  return ms;
}

const inWords = ([value, low, high]: readonly string[]): string => `${value} (${low}–${high})`;

async function measure(label: string, id: string, config: EngineConfig, pid: number): Promise<void> {
  const engine = engines[id]!;
  const database = await engine.open(config, tag, signal);
  const table = { ...rowsTable('dyno_probes_bench'), options: optionsFor(engine.descriptor, defaultSettings) };
  await database.prepareSchema(table);
  const alone = await medianMs(() => database.probe());
  const processorMs = await processorOf(pid, () => database.probe());
  const prober = new Worker(new URL(import.meta.url), { workerData: { id, config } });
  const took: number[] = [];
  await new Promise((ready) => prober.once('message', ready));
  prober.on('message', (ms: number) => took.push(ms));
  let next = 0;
  let isOver = false;
  const settings = { ...defaultSettings, operation: 'insert', method: 'prepared' } as const;
  const users = Array.from({ length: connections }, async () => {
    const session = await database.openSession(table.options);
    const insert = await session.prepare({ table, operation: 'insert', method: 'prepared', settings });
    while (!isOver) await insert.run(insert.encode(toBatch(makeRows(next++, 1))));
    await session[Symbol.asyncDispose]();
  });
  const rate = async (isProbed: boolean): Promise<number> => {
    prober.postMessage(isProbed);
    const [from, since] = [next, performance.now()];
    await sleep(stretchMs);
    return ((next - from) * 1_000) / (performance.now() - since);
  };
  await rate(true);
  const rates: { readonly without: number; readonly probed: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    // The order changes from pair to pair, so that a server that slows down as its table grows slows both sides.
    const first = await rate(pair % 2 === 0);
    const second = await rate(pair % 2 === 1);
    rates.push(pair % 2 === 0 ? { probed: first, without: second } : { probed: second, without: first });
  }
  isOver = true;
  await Promise.all(users);
  await prober.terminate();
  await database.drop(table);
  await database[Symbol.asyncDispose]();
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  // Neighbours in time are compared, because other work on the machine changes more slowly.
  const logs = meanInterval(rates.map(({ probed, without }) => Math.log(probed / without)))!;
  const perSecond = took.length / (((pairs + 1) * stretchMs) / 1_000);
  const [often, once] = [1, perSecond].map((by) =>
    [logs.value, logs.low!, logs.high!].map((log) => Math.exp(log / by).toFixed(4)),
  );
  console.log(
    `${label.padEnd(12)} none ${mean(rates.map(({ without }) => without)).toFixed(0)} rows/s   ` +
      `${perSecond.toFixed(1)} Hz ${mean(rates.map(({ probed }) => probed)).toFixed(0)} rows/s   ratio ${inWords(often!)}, ` +
      `at 1 Hz ${inWords(once!)}   ` +
      `a probe takes ${alone.toFixed(1)} ms alone, ${mean(took).toFixed(1)} ms beside the work` +
      (processorMs === null ? '' : `, and ${processorMs.toFixed(2)} ms of the server’s processor`),
  );
}

if (!isMainThread) {
  const { id, config } = workerData as { readonly id: string; readonly config: EngineConfig };
  await probeWhenTold(id, config);
} else {
  for (const [label, id, kind, parser] of [
    ['PostgreSQL', 'postgres', postgresKind, postgresConfig],
    ['MariaDB', 'mysql', mariadb, mysqlConfig],
  ] as const) {
    await using server = await startKind(kind);
    await measure(label, id, parser.parse(server.raw), server.pid);
  }
}
