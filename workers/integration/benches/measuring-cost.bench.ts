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
import { openClientConnections } from '#runner/loop/client-connections.ts';
import { ControlChannel } from '#runner/loop/control-channel.ts';
import { closedLoops, measurePhase, runPhase } from '#runner/loop/loop.ts';
import { Phase } from '#runner/loop/phase.ts';
import { planClient } from '#runner/process/client-plan.ts';
import { Slowest } from '#runner/timing/slowest.ts';
import { watchSockets } from '#runner/timing/socket-watch.ts';
import { TimeSplit } from '#runner/timing/time-split.ts';
import { compareProcesses, NoSplit, takeTurns } from '#runner/timing/turns.fixture.ts';
import { Histogram } from '#stats/histogram/histogram.ts';

/**
 * What it costs to know what happened: reads by key over eight connections, with everything that a trial measures, and
 * without one part of it at a time. The processes share a server and a table.
 */
const parts = {
  histogram: 'histogram of all calls, and the slowest ones',
  split: 'time split: sockets and sampled calls',
  health: 'client health, and a snapshot a second',
} as const;
type Part = keyof typeof parts;
const all = Object.keys(parts) as readonly Part[];

const connections = 8;
const rows = 100_000;
/** As many as a second or two has, so that what comes once a phase or a second has the share that it has in a trial. */
const callsPerTurn = 40_000;
const turns = { pairs: Number(process.env.DYNO_BENCH_PAIRS ?? 3), blocks: 4, warmUpTurns: 2 };

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

/** In a process of its own: the closed loop of a client worker, without the parts that are left out. */
async function runTurns(id: string, name: string, left: readonly string[]): Promise<void> {
  const has = (part: Part) => !left.includes(part);
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
  const split = has('split') ? new TimeSplit() : new NoSplit();
  const sockets = has('split') ? watchSockets(split) : null;
  if (!has('histogram')) {
    Histogram.prototype.record = () => {};
    Slowest.prototype.add = () => {};
  }
  const database = await open(id, JSON.parse(process.env.DYNO_BENCH_SERVER!));
  const { table, settings: own } = job;
  const sessions = {
    options: table.options,
    isolation: 'default' as const,
    prepare: (session: Awaited<ReturnType<Database['openSession']>>) =>
      session.prepare({ table, operation: 'readByKey', method: 'prepared', settings: own }),
  };
  const loop = { ...plan.loop, split, toError };
  const opened = await openClientConnections(database, sessions, connections, loop, sockets);
  const { callSource } = plan.loop;
  takeTurns(async (): Promise<CallCost> => {
    const phase = new Phase(Number.POSITIVE_INFINITY);
    const work = closedLoops(opened, callsPerTurn / connections);
    const start = performance.now();
    const cpu = process.cpuUsage();
    const run = () => runPhase(work, phase, channel);
    const measured = { worker: 0, connections: opened, callSource, split };
    if (has('health')) await measurePhase(phase, measured, run, () => {});
    else await run();
    const { user, system } = process.cpuUsage(cpu);
    if (phase.failure) throw phase.failure;
    return {
      wallNs: ((performance.now() - start) * 1e6) / callsPerTurn,
      cpuNs: ((user + system) * 1e3) / callsPerTurn,
    };
  });
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
    const cases = [...all.map((part) => [parts[part], [part]] as const), ['all of it', all] as const];
    for (const [words, left] of cases) {
      const args = (without: readonly Part[]) => [id, table.name, without.join()];
      const cost = await compareProcesses({
        file: import.meta.filename,
        without: args(left),
        with_: args([]),
        ...turns,
      });
      for (const [of, column] of [
        ['wallNs', 'throughput'],
        ['cpuNs', 'processor'],
      ] as const) {
        const { offNs, more, low, high } = cost(of);
        const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
        console.log(
          `${product}, ${words}: ${column} ${percent(more)} (${percent(low)} to ${percent(high)}) of ${(offNs / 1_000).toFixed(2)} µs a call`,
        );
        report({ table: 'price', row: words, column: `${product}: ${column}`, more });
      }
    }
  } finally {
    await database.drop(table);
  }
}

const [id, name, left] = process.argv.slice(2);
if (left !== undefined) await runTurns(id!, name!, left.split(','));
else {
  await using server = await givenOrTestServer();
  await compareAll('postgres', server.raw);
  await using other = await givenOrTestServer(mariadb);
  await compareAll('mysql', other.admin);
}
