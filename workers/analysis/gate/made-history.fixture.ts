import type { Sfc32 } from '#stats/random/random.ts';
import { normal } from '#stats/random/samples.fixture.ts';
import { madeCells } from '../compare/made-cells.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import type { GateBaseline } from './compared-cells.ts';

/** Made-up runs of one experiment, for tests only. */
export interface MadeHistory {
  /** Number of cells, and of those that the change makes slower. */
  readonly cells: number;
  readonly slower: number;
  /** Throughput of a slower cell ÷ that of the baseline. */
  readonly factor: number;
  readonly repeats: number;
  /** Coefficients of variation between repeats, and between runs: half of the variance meets all cells alike. */
  readonly cv: number;
  readonly drift: number;
  /** True if each run drifts away from the run before it; default: all runs drift around one level. */
  readonly wanders?: boolean;
  /** Number of earlier runs, the baseline's included; null: one run measures both sides in turn. */
  readonly earlier: number | null;
}

/** A run to judge, and its baseline: the last of the earlier runs. */
export function madeHistory(
  random: Sfc32,
  { cells, slower, factor, repeats, cv, drift, wanders = false, earlier }: MadeHistory,
): { readonly run: RunModel; readonly baseline: GateBaseline } {
  const variants = { variants: cells, repeats, cv: () => cv };
  if (earlier === null) {
    const rate = (variant: number, target: number) => (target === 1 && variant < slower ? 1_000 * factor : 1_000);
    const run = madeCells(random, { ...variants, targets: 2, rate });
    return { run, baseline: { run, inTurn: new Map([['t1', 't0']]), name: 't0', earlier: [] } };
  }
  let before: readonly number[] = Array.from({ length: cells }, () => 0);
  const runs = Array.from({ length: earlier + 1 }, (_, i) => {
    const whole = normal(random);
    const drifts = before.map((level) => level + drift * Math.SQRT1_2 * (whole + normal(random)));
    if (wanders) before = drifts;
    const rate = (variant: number) =>
      1_000 * Math.exp(drifts[variant]!) * (i === earlier && variant < slower ? factor : 1);
    return madeCells(random, { ...variants, targets: 1, rate });
  });
  return {
    run: runs[earlier]!,
    baseline: { run: runs[earlier - 1]!, inTurn: null, name: '', earlier: runs.slice(0, -1) },
  };
}
