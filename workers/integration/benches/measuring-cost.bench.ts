import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { closeClientConnections, openClientConnections } from '#runner/loop/client-connections.ts';
import { ControlChannel } from '#runner/loop/control-channel.ts';
import { closedLoops, measurePhase, runPhase } from '#runner/loop/loop.ts';
import { Phase } from '#runner/loop/phase.ts';
import { planClient } from '#runner/process/client-plan.ts';
import { Slowest } from '#runner/timing/slowest.ts';
import { watchSockets } from '#runner/timing/socket-watch.ts';
import { TimeSplit } from '#runner/timing/time-split.ts';
import { NoSplit } from '#runner/timing/turns.fixture.ts';
import { CallSource } from '#runner/workload/call-source.ts';
import { CallTracker } from '#runner/workload/call-tracker.ts';
import { numberRange } from '#runner/workload/numbering.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { meanInterval } from '#stats/intervals/intervals.ts';
import { median } from '#stats/intervals/summary.ts';

/**
 * The cost of measuring, in processor time of the client.
 *
 * Costs of every call: reads by key over eight connections, with everything that a trial measures of a call, and
 * without a part of it. All of these take short turns in one process, whose loop, table and compiled code they share;
 * only the watch of sockets is bound to connections, so it has eight of its own. Other work on the machine makes
 * turns longer, and never shorter, so the lower quartiles of many turns are compared.
 *
 * Costs of every second: a phase in which calls are counted and none is made, with health and snapshots and
 * without them.
 *
 * Processes are the repeats: code and connections are more or less quick from one to the next. DYNO_BENCH_CASE: part of
 * an engine's name; DYNO_BENCH_ROUNDS: processes of each.
 */
const parts = {
  histogram: 'histogram of all calls, and the slowest ones',
  split: 'time split: sockets and sampled calls',
} as const;
type Part = keyof typeof parts;
const all = Object.keys(parts) as readonly Part[];
const variants: readonly { readonly words: string; readonly left: readonly Part[] }[] = [
  ...all.map((part) => ({ words: parts[part], left: [part] })),
  { words: 'both', left: all },
];

const connections = 8;
const rows = 100_000;
const processes = Number(process.env.DYNO_BENCH_ROUNDS ?? 8);
const callsPerTurn = 2_000;
const turns = 20;
const warmUpTurns = 10;
/** The measured duration for costs of every second. */
const phaseSeconds = 2;
const countedPerSecond = 40_000;

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

/** The cost of a part. */
interface Added {
  readonly share: number;
  /** The time without the part. */
  readonly offUs: number;
}

const quartile = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)]!;

/**
 * Compares calls in a separate process, in which the closed loops of a client worker take turns. The result is the
 * additional processor time of each variant per call, and the time without it, µs.
 */
async function compareCalls(id: string, name: string): Promise<readonly Added[]> {
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
  const openAll = (split: TimeSplit, sockets: ReturnType<typeof watchSockets> | null) =>
    openClientConnections(database, sessions, connections, { ...plan.loop, split, toError }, sockets);
  const noSplit = new NoSplit();
  const unwatched = await openAll(noSplit, null);
  const split = new TimeSplit();
  const { push, _write, _writev } = Socket.prototype;
  const watched = await openAll(split, watchSockets(split));
  const methods = {
    watched: { push: Socket.prototype.push, _write: Socket.prototype._write, _writev: Socket.prototype._writev },
    unwatched: { push, _write, _writev },
  };

  let keeps = true;
  const { record } = Histogram.prototype;
  const { add } = Slowest.prototype;
  Histogram.prototype.record = function (ns) {
    if (keeps) record.call(this, ns);
  };
  Slowest.prototype.add = function (startMs, endMs) {
    if (keeps) add.call(this, startMs, endMs);
  };

  /** Each loop has its own phase, because the first calls of a phase are all among its slowest. */
  const order = [[], ...variants.map(({ left }) => left)].map((left) => ({
    left,
    phase: new Phase(Number.POSITIVE_INFINITY),
  }));
  /** Processor time per call, µs. */
  async function turn({ left, phase }: (typeof order)[number]): Promise<number> {
    const has = (part: Part) => !left.includes(part);
    keeps = has('histogram');
    Object.assign(Socket.prototype, methods[has('split') ? 'watched' : 'unwatched']);
    const work = closedLoops(has('split') ? watched : unwatched, callsPerTurn / connections);
    const us = await processorUs(() => runPhase(work, phase, channel));
    if (phase.failure) throw phase.failure;
    return us / callsPerTurn;
  }

  const us = order.map((): number[] => []);
  for (let i = -warmUpTurns; i < turns; i++) {
    // The order alternates, so that a drift affects all variants alike.
    for (const v of i % 2 === 0 ? order.keys() : [...order.keys()].reverse()) {
      const one = await turn(order[v]!);
      if (i >= 0) us[v]!.push(one);
    }
  }

  await closeClientConnections([...watched, ...unwatched]);
  const [everything, ...without] = us.map(quartile);
  return without.map((offUs) => ({ share: everything! / offUs - 1, offUs }));
}

/** Measures, in a separate process, the processor time that health and snapshots add per second. */
async function compareSeconds(): Promise<readonly Added[]> {
  const split = new TimeSplit();
  const maker = { callsPerBlock: 1, make: () => ({ rows: 1, columns: [] }), batchRows: () => 1 };
  const callSource = new CallSource(maker, new CallTracker(numberRange(0, 0, 1)));
  /** The share of a processor. */
  async function turn(isMeasured: boolean): Promise<number> {
    const phase = new Phase(Number.POSITIVE_INFINITY);
    const count = async () => {
      for (let tenth = 0; tenth < phaseSeconds * 10; tenth++) {
        await sleep(100);
        const now = performance.now();
        for (let i = 0; i < countedPerSecond / 10; i++) phase.succeeded(now - 0.1 - (i % 100) / 100, now, 1);
      }
    };
    const measured = { worker: 0, connections: [], callSource, split };
    const us = await processorUs(() => (isMeasured ? measurePhase(phase, measured, count, () => {}) : count()));
    return us / 1e6 / phaseSeconds;
  }
  await turn(false);
  await turn(true);
  const [on, off, stillOff, onAgain] = [await turn(true), await turn(false), await turn(false), await turn(true)];
  return [{ share: (on + onAgain - off - stillOff) / 2, offUs: 1e6 }];
}

/** Processor time of this process. */
async function processorUs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function inProcesses(many: number, ...args: readonly string[]): Promise<readonly (readonly Added[])[]> {
  const each: (readonly Added[])[] = [];
  while (each.length < many) {
    const child = fork(import.meta.filename, args);
    const ended = once(child, 'exit');
    const [added] = await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error('The process that measures has ended too early.'))),
    ]);
    await ended;
    each.push(added);
  }
  return each;
}

function tell(column: string, row: string, each: readonly Added[]): void {
  const { value, low, high } = meanInterval(each.map(({ share }) => share))!;
  const percent = (share: number | null) => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);
  const us = median(each.map(({ offUs }) => offUs));
  console.log(`${column}, ${row}: ${percent(value)} (${percent(low)} to ${percent(high)}) of ${us.toFixed(2)} µs`);
  report({ table: 'price', row, column, more: value, low, high });
}

async function compareAll(id: string, raw: Record<string, unknown>): Promise<void> {
  await using database = await open(id, raw);
  const table = tableOf(id, `dyno_bench_${process.pid}`);
  // The address may contain a password, so it is not passed as an argument.
  process.env.DYNO_BENCH_SERVER = JSON.stringify(raw);
  await database.prepareSchema(table);
  try {
    await database.load(table, [createGenerator(dataset).fill(0, rows, null)], () => {}, never);
    await database.settle(table);
    const { product } = await database.fingerprint();
    const each = await inProcesses(processes, id, table.name);
    for (const [v, { words }] of variants.entries())
      tell(
        `${product}: of a call`,
        words,
        each.map((added) => added[v]!),
      );
  } finally {
    await database.drop(table);
  }
}

const [id, name] = process.argv.slice(2);
if (id !== undefined) {
  process.send!(await (name === undefined ? compareSeconds() : compareCalls(id, name)));
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
  const each = await inProcesses(3, 'seconds');
  tell('of a processor', 'client health, and a snapshot a second', each.flat());
}
