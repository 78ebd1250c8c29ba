import { Sfc32 } from '../random/random.ts';
import { normal } from '../random/samples.fixture.ts';

/** A made-up history of one figure, with its true steps. */
interface MadeHistory {
  readonly values: readonly number[];
  /** The first run after each step, and the level after ÷ before it. */
  readonly steps: readonly { readonly at: number; readonly ratio: number }[];
}

/**
 * Fifty histories of 6 to 60 runs with none to three steps of 5 to 60 % at least two runs apart, whose runs scatter by
 * 1 to 5 %. The same histories each time.
 */
export function madeHistories(): readonly MadeHistory[] {
  return Array.from({ length: 50 }, (_, seed): MadeHistory => {
    const random = new Sfc32(seed, 50);
    const between = (low: number, high: number) => low + (high - low) * random.unit();
    const runs = Math.round(6 * 10 ** random.unit());
    const cv = between(0.01, 0.05);
    const most = Math.min(3, Math.floor(runs / 5));
    const count = random.below(most + 1);
    const steps = Array.from({ length: count }, (__, i) => {
      const [from, to] = [(i * runs) / count, ((i + 1) * runs) / count];
      const at = Math.max(2, Math.min(runs - 2, Math.round(between(from + 1, to - 1))));
      const size = 1 + between(0.05, 0.6);
      return { at, ratio: random.below(2) === 0 ? size : 1 / size };
    });
    const levelOf = (run: number) => steps.reduce((level, { at, ratio }) => (run >= at ? level * ratio : level), 1_000);
    return {
      steps,
      values: Array.from({ length: runs }, (__, run) => levelOf(run) * Math.exp(cv * normal(random))),
    };
  });
}
