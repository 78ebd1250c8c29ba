import { availableParallelism } from 'node:os';
import { loadEngine } from '#engines/load.ts';
import type { Settings } from '#model/settings/settings.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { dataset, table, trialOn } from '../loop/loop.fixture.ts';

/**
 * Measures the load generator in one process, over an engine that answers at once or after a pause. The start error is
 * the generator's own lateness; other work of the machine makes it longer, so run this on an idle one.
 */
const seconds = 10;

interface Case {
  readonly label: string;
  readonly delayMs: number;
  readonly settings: Partial<Settings>;
  /** Units per second that the load should reach. */
  readonly expected: number;
}

const thinkMs = 1_000;
const delayMs = 5;
const users = 10_000;
/** Think time of many users: a twentieth of the users starts a unit in each second. */
const longThinkMs = 20_000;
const many = (count: number): Case => ({
  label: `${count.toLocaleString('en')} users, think ${longThinkMs / 1_000} s`,
  delayMs: 0,
  settings: { users: count, thinkMs: longThinkMs, connections: 64 },
  expected: (count * 1_000) / longThinkMs,
});
const open: Partial<Settings> = { load: 'open', arrivalsPerSecond: 5_000, connections: 64 };
const cases: readonly Case[] = [
  { label: '5,000 arrivals/s, constant', delayMs: 0, settings: { ...open, arrivals: 'constant' }, expected: 5_000 },
  { label: '5,000 arrivals/s, Poisson', delayMs: 0, settings: { ...open, arrivals: 'poisson' }, expected: 5_000 },
  {
    label: `10,000 users, think 1 s, answer ${delayMs} ms`,
    delayMs,
    settings: { users, thinkMs, connections: 1_000 },
    expected: (users * 1_000) / (thinkMs + delayMs),
  },
  many(100_000),
  many(300_000),
  many(1_000_000),
];

const engine = await loadEngine('noop');
const ms = (ns: number): string => `${(ns / 1e6).toFixed(3)} ms`;
console.log(`${seconds} s each, on a machine with ${availableParallelism()} processors.`);
for (const { label, delayMs: answerMs, settings, expected } of cases) {
  await using database = await engine.open({ delayMs: answerMs }, 'bench', new AbortController().signal);
  const { result, elapsedMs } = await trialOn(engine, database, {
    settings: { operation: 'readByKey', generation: 'inline', ...settings },
    measure: { until: 'time', seconds, warmupSeconds: 2 },
    job: { table, dataset, loadedRows: dataset.rows },
  });
  const { load } = result.totals;
  if (!load) throw new Error('The trial had no load of its own.');
  const late = Histogram.decode(load.startError);
  const { cpuUserMs, cpuSystemMs, eventLoopUtilisation, eventLoopDelayP99Ms, pauses } = result.health;
  console.log(
    [
      `${label}:`,
      `  ended ${((load.ended * 1_000) / elapsedMs).toFixed(1)}/s of ${expected.toFixed(1)}/s`,
      `  start error p50 ${ms(late.percentile(50))}, p90 ${ms(late.percentile(90))}, p99 ${ms(late.percentile(99))}, p99.9 ${ms(late.percentile(99.9))}, most ${ms(late.max)}`,
      `  ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB of memory, CPU ${(((cpuUserMs + cpuSystemMs) / elapsedMs) * 100).toFixed(0)} % of a core, event loop in use ${(eventLoopUtilisation * 100).toFixed(0)} %, delayed p99 ${eventLoopDelayP99Ms.toFixed(2)} ms`,
      `  ready and without a processor: ${pauses?.noProcessorMs == null ? 'not known' : `${((pauses.noProcessorMs / elapsedMs) * 100).toFixed(1)} % of the time`}`,
    ].join('\n'),
  );
}
