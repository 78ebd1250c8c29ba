import { readFileSync } from 'node:fs';
import type { Database } from '#engine-api/database.ts';
import type { Session } from '#engine-api/session.ts';
import type { CustomStatement } from '#engine-api/statement.ts';
import { mixFor, weightsOf } from '#experiment/statements/statement-mix.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { toErrorData } from '#model/error.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { LoadedTables } from '#protocol/messages.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { sessionThat } from '../loop/bare-loop.fixture.ts';
import { openClientConnections } from '../loop/client-connections.ts';
import { ControlChannel } from '../loop/control-channel.ts';
import { closedLoops, runPhase } from '../loop/loop.ts';
import { Phase } from '../loop/phase.ts';
import { watchSockets } from '../timing/socket-watch.ts';
import { TimeSplit } from '../timing/time-split.ts';
import { CallSource } from '../workload/call-source.ts';
import { CallTracker } from '../workload/call-tracker.ts';
import { numberRange } from '../workload/numbering.ts';
import { planMix } from './mix.ts';

/**
 * Measures what a call of the gallery's mixes costs Dyno itself (drawing, values, loop and counts): processor time of
 * this process, over statements that are not encoded and are answered in the next microtask.
 */
const connections = 8;
const calls = 40_000;
const rounds = 15;

const statement: CustomStatement = {
  encode: (batch) => batch,
  run: async () => 1,
  answer: async () => ({ count: 1, read: () => ({ columns: [], rows: [], count: 1 }) }),
  show: async () => ({ columns: [], rows: [], count: 0 }),
  explain: async () => '',
};
const session: Session = {
  ...sessionThat(async () => 1),
  prepareStatement: async () => statement,
  begin: async () => {},
  commit: async () => {},
};

/** Processor time per call of a mix, µs. */
async function costOf(name: string): Promise<number> {
  const file = new URL(`../../../experiments/${name}.dyno.yaml`, import.meta.url);
  const { experiment } = parseFile(readFileSync(file, 'utf8'));
  if (!experiment) throw new Error(`${name} is no experiment.`);
  const { dataset } = experiment;
  const datasets = { ...(dataset && { table: dataset }), ...experiment.tables };
  const tables: LoadedTables = Object.fromEntries(
    Object.entries(datasets).map(([table, one]) => [
      table,
      { dataset: one, rows: one.rows, table: { name: table, columns: tableColumns(one), key: 0, options: {} } },
    ]),
  );
  const loadedRows = dataset?.rows ?? 0;
  const table = { name: 'unread', columns: [], key: null, options: {} };
  const settings = { ...defaultSettings, operation: 'statement' as const };
  const job = { tables, connections, loadedRows, settings, table, trialSeed: 1, worker: 0, measure: {} };
  const language = { language: 'sql' } as const;
  const channel = new ControlChannel();
  const choice = { target: 'none', engine: 'none' };
  const mix = planMix(job, mixFor(experiment, choice, language, weightsOf(experiment), new Map()), channel);
  const split = new TimeSplit();
  const trackerFrom = (first: number) => new CallTracker(numberRange(first, first + calls, 1));
  const callSource = new CallSource(mix.maker, trackerFrom(loadedRows));
  using sockets = watchSockets(split);
  const opened = await openClientConnections(
    { openSession: async () => session } as unknown as Database, // The benchmark uses nothing else of it.
    { options: {}, isolation: 'default', prepare: (one) => mix.prepare(one, toErrorData) },
    connections,
    {
      callSource,
      expected: { low: 0, high: 0 },
      callsPerCommit: 1,
      callsPerConnection: 0,
      depth: 1,
      batches: false,
      writes: false,
      maxAttempts: 10,
      seed: 1,
      turnsInTransactions: true,
      split,
      toError: toErrorData,
    },
    sockets,
  );
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    callSource.use(trackerFrom(loadedRows + round * calls));
    const before = process.cpuUsage();
    const phase = new Phase(Number.POSITIVE_INFINITY);
    await runPhase(closedLoops(opened), phase, channel);
    if (phase.succeededCalls !== calls) throw new Error(phase.examples[0]?.message);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / calls);
  }
  return Math.min(...times);
}

for (const name of ['ycsb-a', 'ycsb-b', 'ycsb-c', 'ycsb-d', 'ycsb-f', 'tpc-b'])
  console.log(`${name.padEnd(8)} ${(await costOf(name)).toFixed(2)} µs a call`);
