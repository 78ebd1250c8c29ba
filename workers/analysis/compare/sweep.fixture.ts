import type { JournalRecord } from '#protocol/journal.ts';
import { type Coefficients, throughputAt } from '#stats/fits/usl.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { fixtureJournal, readRun } from '../run-model/run.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** The insert duel over connections, with a throughput that follows a given law; only for tests. */

export interface SweepFixture {
  readonly loads: readonly number[];
  readonly repeats?: number;
  /** Rows per second at a load. Default: the law with `truth`. */
  readonly throughput?: (load: number) => number;
  readonly truth?: Coefficients;
  /** Standard deviation of the repeats, as a share. */
  readonly noise?: number;
  /** The load from which the client is saturated. */
  readonly saturatedFrom?: number;
  readonly seed?: number;
}

export const exampleLaw: Coefficients = { lambda: 10_000, sigma: 0.06, kappa: 0.004 };

const made = new Map<string, readonly JournalRecord[]>();

/** A run without its seconds. Many tests share it, because it is slow to make. */
function duel(loads: readonly number[], repeats: number): readonly JournalRecord[] {
  const key = `${loads.join()} ${repeats}`;
  const records =
    made.get(key) ??
    [...fixtureJournal({ connections: loads, repeats })].filter(
      ({ record }) => record !== 'snapshot' && record !== 'probe',
    );
  made.set(key, records);
  return records;
}

export function* sweepJournal({
  loads,
  repeats = 3,
  truth = exampleLaw,
  throughput = (load) => throughputAt(truth, load),
  noise = 0.02,
  saturatedFrom = Number.POSITIVE_INFINITY,
  seed = 1,
}: SweepFixture): Generator<JournalRecord> {
  const random = new Sfc32(seed, 5);
  for (const record of duel(loads, repeats)) {
    if (record.record !== 'result') {
      yield record;
      continue;
    }
    const load = Number(/connections=(\d+)/.exec(record.result.variant)?.[1]);
    const scatter = 1 + noise * (random.unit() + random.unit() + random.unit() - 1.5) * 2;
    const rate = throughput(load) * scatter;
    const { totals } = record.result;
    yield {
      ...record,
      result: {
        ...record.result,
        elapsedMs: (totals.rows / rate) * 1_000,
        clientSaturated: load >= saturatedFrom,
        littleError: -0.012,
      },
    };
  }
}

export const sweepModel = (fixture: SweepFixture): RunModel => readRun(sweepJournal(fixture));
