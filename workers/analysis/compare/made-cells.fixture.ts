import { defaultSettings } from '#model/settings/settings.ts';
import type { Cell } from '#protocol/plan.ts';
import { mean } from '#stats/intervals/summary.ts';
import type { Sfc32 } from '#stats/random/random.ts';
import { throughput } from '#stats/random/samples.fixture.ts';
import { healthOf } from '../run-model/journal-parts.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** Made-up cells, for tests only. */

export interface MadeCells {
  readonly variants: number;
  readonly targets: number;
  readonly repeats: number;
  /** Mean rate and scatter of a cell; default: 1,000 rows/s and 5 %. */
  readonly rate?: (variant: number, target: number) => number;
  readonly cv?: (variant: number, target: number) => number;
}

/** A run with this many variants on this many targets, with the members that comparisons read. */
export function madeCells(
  random: Sfc32,
  { variants, targets, repeats, rate = () => 1_000, cv = () => 0.05 }: MadeCells,
): RunModel {
  const names = Array.from({ length: targets }, (_, i) => `t${i}`);
  const ids = Array.from({ length: variants }, (_, i) => `v${i}`);
  const cells = ids.flatMap((variant, v) =>
    names.map((target, t) => ({ variant, target, rates: throughput(random, repeats, cv(v, t), rate(v, t)) })),
  );
  const plan = {
    experiment: {},
    measure: {},
    variants: ids.map((id) => ({ id, label: id, levels: {}, settings: defaultSettings })),
    targets: names.map((name) => ({ name })),
  } as unknown as RunModel['plan']; // the parts that comparisons read
  return { ...madeResults(names, cells), plan };
}

/** Everything of a run but its plan, with these rates of the repeats of each cell. */
export const madeResults = (
  names: readonly string[],
  cells: readonly (Cell & { readonly rates: readonly number[] })[],
): Omit<RunModel, 'plan'> =>
  ({
    environment: { app: '0', runtime: {}, drivers: {}, os: '', cpu: '', cores: 2, memoryBytes: 2 ** 33 },
    calibration: [],
    targets: names.map((name) => ({ name, address: '', details: {}, descriptor: { label: '', builtIn: [] } })),
    files: [],
    cells: cells.map(({ rates, ...cell }) => ({
      ...cell,
      ok: rates.length,
      rowsPerSecond: { value: mean(rates), low: null, high: null, n: rates.length },
      load: null,
      rowProblems: [],
      otherAnswers: [],
      sampledAnswers: [],
    })),
    trials: cells.flatMap(({ rates, ...trial }) =>
      rates.map((own) => ({
        trial,
        result: {
          status: 'ok',
          elapsedMs: 1e6 / own,
          totals: { rows: 1_000, calls: 1_000 },
          health: healthOf(1e6 / own),
        },
      })),
    ),
    sessionsLeft: [],
    halted: null,
    searches: [],
  }) as unknown as Omit<RunModel, 'plan'>; // the parts that comparisons read
