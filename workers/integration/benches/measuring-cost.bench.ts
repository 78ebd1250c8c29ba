import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parse } from 'valibot';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import { findEngine } from '#engines/catalog.ts';
import { engine as mysql } from '#engines/mysql/engine.ts';
import { engine as postgres } from '#engines/postgres/engine.ts';
import { report } from '#engines/shared/bench-report.fixture.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { datasetSchema } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { ClientJob } from '#protocol/messages.ts';
import { createGenerator } from '#runner/generator/generator.ts';
import type { CallCost } from '#runner/loop/bare-loop.fixture.ts';
import { closeClientConnections, openClientConnections } from '#runner/loop/client-connections.ts';
import { ControlChannel } from '#runner/loop/control-channel.ts';
import { closedLoops, measurePhase, runPhase } from '#runner/loop/loop.ts';
import { Phase } from '#runner/loop/phase.ts';
import { planClient } from '#runner/process/client-plan.ts';
import { Slowest } from '#runner/timing/slowest.ts';
import { type SocketWatch, watchSockets } from '#runner/timing/socket-watch.ts';
import { TimeSplit } from '#runner/timing/time-split.ts';
import { NoSplit } from '#runner/timing/turns.fixture.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { meanInterval } from '#stats/intervals/intervals.ts';
import { median } from '#stats/intervals/summary.ts';

/**
 * What it costs to know what happened: reads by key over eight connections, with everything that a trial measures, and
 * without one part of it at a time. The turns of all of these follow each other in one process, whose loop, table and
 * compiled code they share; only what watches sockets is bound to connections, so those have eight of their own. The
 * same code runs more or less quickly from process to process, so processes are the repeats. DYNO_BENCH_CASE: part of
 * an engine's name; DYNO_BENCH_ROUNDS: processes of each.
 */
const parts = {
  histogram: 'histogram of all calls, and the slowest ones',
  split: 'time split: sockets and sampled calls',
  health: 'client health, and a snapshot a second',
} as const;
type Part = keyof typeof parts;
const all = Object.keys(parts) as readonly Part[];
const variants: readonly { readonly words: string; readonly left: readonly Part[] }[] = [
  ...all.map((part) => ({ words: parts[part], left: [part] })),
  { words: 'all of it', left: all },
];

const connections = 8;
const rows = 100_000;
/** As many as a second or two has, so that what comes once a phase or a second has the share that it has in a trial. */
const callsPerTurn = 40_000;
const processes = Number(process.env.DYNO_BENCH_ROUNDS ?? 3);
/** Each of two turns of everything and of each variant, forward and back. */
const blocks = 2;

const dataset = parse(datasetSchema, {
  rows,
  key: 'id',
  columns: { id: { type: 'sequence' }, payload: { type: 'text', length: 20 } },
});
const settings = {
  ...defaultSettings,
  operation: 'readByKey',
  method: 'prepared',
  generation: 'inline',
  connections,
} as const;

const engines: Readonly<Record<string, Engine>> = { postgres, mysql };
const tableOf = (id: string, name: string) => ({
  name,
  columns: tableColumns(dataset),
  key: 0,
  options: optionsFor(findEngine(id)!.descriptor, settings),
});
const never = new AbortController().signal;
const open = (id: string, raw: Record<string, unknown>): Promise<Database> =>
  engines[id]!.open(findEngine(id)!.config.parse(raw), 'dyno-bench', never);

/** What a variant saves, of one process: the cost of a call without, and the logarithms of with ÷ without. */
interface Saved {
  readonly off: CallCost;
  readonly logs: CallCost;
}

/** In a process of its own: the closed loops of a client worker take turns. */
async function compareTurns(id: string, name: string): Promise<readonly Saved[]> {
  const { descriptor, toError } = engines[id]!;
  const channel = new ControlChannel();
  const job: ClientJob = {
    worker: 0,
    workers: 1,
    table: tableOf(id, name),
    dataset,
    settings,
    connections,
    measure: {
      repeats: 1,
      until: 'time',
      rows: 0,
      seconds: 1,
      warmupSeconds: 0,
      warmupRows: 0,
      timeoutSeconds: 60,
      order: 'interleaved',
      seed: 1,
    },
    loadedRows: rows,
    trialSeed: 1,
  };
  const plan = planClient(descriptor, job, channel);
  await using database = await open(id, JSON.parse(process.env.DYNO_BENCH_SERVER!));
  const { table, settings: own } = job;
  const sessions = {
    options: table.options,
    isolation: 'default' as const,
    prepare: (session: Awaited<ReturnType<Database['openSession']>>) =>
      session.prepare({ table, operation: 'readByKey', method: 'prepared', settings: own }),
  };
  const openAll = (split: TimeSplit, sockets: SocketWatch | null) =>
    openClientConnections(database, sessions, connections, { ...plan.loop, split, toError }, sockets);
  const { callSource } = plan.loop;
  const noSplit = new NoSplit();
  const unwatched = await openAll(noSplit, null);
  const split = new TimeSplit();
  let sockets = watchSockets(split);
  const watched = await openAll(split, sockets);

  let keeps = true;
  const { record } = Histogram.prototype;
  const { add } = Slowest.prototype;
  Histogram.prototype.record = function (ns) {
    if (keeps) record.call(this, ns);
  };
  Slowest.prototype.add = function (startMs, endMs) {
    if (keeps) add.call(this, startMs, endMs);
  };

  async function turn(left: readonly Part[]): Promise<CallCost> {
    const has = (part: Part) => !left.includes(part);
    keeps = has('histogram');
    sockets[Symbol.dispose]();
    if (has('split')) sockets = watchSockets(split);
    const measured = has('split')
      ? { worker: 0, connections: watched, callSource, split }
      : { worker: 0, connections: unwatched, callSource, split: noSplit };
    const phase = new Phase(Number.POSITIVE_INFINITY);
    const run = () => runPhase(closedLoops(measured.connections, callsPerTurn / connections), phase, channel);
    const start = performance.now();
    const cpu = process.cpuUsage();
    if (has('health')) await measurePhase(phase, measured, run, () => {});
    else await run();
    const { user, system } = process.cpuUsage(cpu);
    if (phase.failure) throw phase.failure;
    return {
      wallNs: ((performance.now() - start) * 1e6) / callsPerTurn,
      cpuNs: ((user + system) * 1e3) / callsPerTurn,
    };
  }

  const order = [[], ...variants.map(({ left }) => left)];
  async function pass(lefts: readonly (readonly Part[])[]): Promise<readonly CallCost[]> {
    const costs: CallCost[] = [];
    for (const left of lefts) costs.push(await turn(left));
    return costs;
  }
  async function block(): Promise<readonly CallCost[]> {
    const there = await pass(order);
    const back = (await pass(order.toReversed())).toReversed();
    return there.map((one, i) => ({
      wallNs: (one.wallNs + back[i]!.wallNs) / 2,
      cpuNs: (one.cpuNs + back[i]!.cpuNs) / 2,
    }));
  }
  await pass(order); // warms up
  const taken: (readonly CallCost[])[] = [];
  while (taken.length < blocks) taken.push(await block());
  await closeClientConnections([...watched, ...unwatched]);
  return variants.map((_, i) => {
    const middle = (of: (everything: CallCost, without: CallCost) => number) =>
      median(taken.map((costs) => of(costs[0]!, costs[i + 1]!)));
    return {
      off: { wallNs: middle((_on, off) => off.wallNs), cpuNs: middle((_on, off) => off.cpuNs) },
      logs: {
        wallNs: middle((on, off) => Math.log(on.wallNs / off.wallNs)),
        cpuNs: middle((on, off) => Math.log(on.cpuNs / off.cpuNs)),
      },
    };
  });
}

async function inProcess(id: string, name: string): Promise<readonly Saved[]> {
  const child = fork(import.meta.filename, [id, name]);
  const ended = once(child, 'exit');
  const [saved] = await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('The process that measures has ended too early.'))),
  ]);
  await ended;
  return saved;
}

async function compareAll(id: string, raw: Record<string, unknown>): Promise<void> {
  await using database = await open(id, raw);
  const table = tableOf(id, `dyno_bench_${process.pid}`);
  // An address with a password belongs into no argument.
  process.env.DYNO_BENCH_SERVER = JSON.stringify(raw);
  await database.prepareSchema(table);
  try {
    await database.load(table, [createGenerator(dataset).fill(0, rows, null)], () => {}, never);
    await database.settle(table);
    const { product } = await database.fingerprint();
    const saved: (readonly Saved[])[] = [];
    while (saved.length < processes) saved.push(await inProcess(id, table.name));
    for (const [i, { words }] of variants.entries()) {
      for (const [of, column] of [
        ['wallNs', 'throughput'],
        ['cpuNs', 'processor'],
      ] as const) {
        const { value, low, high } = meanInterval(saved.map((each) => each[i]!.logs[of]))!;
        const offUs = median(saved.map((each) => each[i]!.off[of])) / 1_000;
        const percent = (log: number) => `${(100 * Math.expm1(log)).toFixed(1)} %`;
        console.log(
          `${product}, ${words}: ${column} ${percent(value)} (${percent(low!)} to ${percent(high!)}) of ${offUs.toFixed(2)} µs a call`,
        );
        report({ table: 'price', row: words, column: `${product}: ${column}`, more: Math.expm1(value) });
      }
    }
  } finally {
    await database.drop(table);
  }
}

const [id, name] = process.argv.slice(2);
if (name !== undefined) {
  process.send!(await compareTurns(id!, name));
  process.disconnect();
} else {
  const wanted = process.env.DYNO_BENCH_CASE ?? '';
  if ('postgres'.includes(wanted)) {
    await using server = await givenOrTestServer();
    await compareAll('postgres', server.raw);
  }
  if ('mysql'.includes(wanted)) {
    await using server = await givenOrTestServer(mariadb);
    await compareAll('mysql', server.admin);
  }
}
