import type { JournalRecord } from '#protocol/journal.ts';
import { type Coefficients } from '#stats/usl.ts';
import type { RunModel } from './model.ts';
/** For tests only: the insert duel over connections, its throughput by a law that is given. */
export interface SweepFixture {
  readonly loads: readonly number[];
  readonly repeats?: number;
  /** Rows per second at a load. Default: of the law with `truth`. */
  readonly throughput?: (load: number) => number;
  readonly truth?: Coefficients;
  /** Standard deviation of the repeats, as a share. */
  readonly noise?: number;
  /** From this load on the client is saturated. */
  readonly saturatedFrom?: number;
  readonly seed?: number;
}
export declare const exampleLaw: Coefficients;
export declare function sweepJournal({
  loads,
  repeats,
  truth,
  throughput,
  noise,
  saturatedFrom,
  seed,
}: SweepFixture): Generator<JournalRecord>;
export declare function sweepModel(fixture: SweepFixture): RunModel;
