import type { ConnectingSummary, RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { variantOf, variantText } from '#planning/variant-of.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import type { LatencySummary } from '#stats/histogram/percentiles.ts';
import type { Interval } from '#stats/intervals/intervals.ts';
import { type ColumnOf, from, number, text, whole } from './data-file.ts';

type Planned = Pick<RunModel, 'plan'>;

/** The variant, its level of each factor, and the target. */
export const cellColumns = ({ plan }: Planned): readonly ColumnOf<Cell>[] => [
  text('variant', 'The combination of levels. Empty without factors.', ({ variant }) => variantText(plan, variant)),
  ...factorsOf(plan).map(({ factor, name }) =>
    text<Cell>(name, `The level of the factor “${factor}”.`, ({ variant }) => {
      const level = variantOf(plan, variant)?.levels[factor];
      return level === undefined ? null : String(level);
    }),
  ),
  text('target', 'The target, by its name in the experiment.', ({ target }) => target),
];

/** The factors, each with the name of its column, which every program can write without quotes. */
function factorsOf({ variants }: Plan): readonly { readonly factor: string; readonly name: string }[] {
  const names = new Set<string>();
  return [...new Set(variants.flatMap(({ levels }) => Object.keys(levels)))].map((factor) => {
    const plain = `factor_${factor.replaceAll(/[^\p{L}\p{N}_]/gu, '_')}`;
    const name = names.has(plain) ? `${plain}_${names.size}` : plain;
    names.add(name);
    return { factor, name };
  });
}

/** The trial, its cell and its repeat. */
export const trialColumns = (run: Planned): readonly ColumnOf<TrialView>[] => [
  whole('trial', 'The number of the trial, in the order of the run.', ({ trial }) => trial.number),
  ...from(({ trial }: TrialView) => trial, cellColumns(run)),
  whole('repeat', 'The number of the repeat of its cell, from 1.', ({ trial }) => trial.repeat),
];

/** A mean with the bounds of its 95 % confidence interval. */
export const intervalColumns = <Entry>(
  name: string,
  about: string,
  interval: (entry: Entry) => Interval | null | undefined,
): readonly ColumnOf<Entry>[] => [
  number(name, about, (entry) => interval(entry)?.value),
  number(`${name}_low`, 'Its lower bound, with 95 % confidence.', (entry) => interval(entry)?.low),
  number(`${name}_high`, 'Its upper bound, with 95 % confidence.', (entry) => interval(entry)?.high),
];

/** Percentiles of a latency. `prefix` begins the names of the columns. */
export const latencyColumns = <Entry>(
  prefix: string,
  what: string,
  latency: (entry: Entry) => LatencySummary | null | undefined,
): readonly ColumnOf<Entry>[] => [
  whole(`${prefix}count`, `Number of ${what}.`, (entry) => latency(entry)?.count),
  number(`${prefix}mean_ms`, `Mean of ${what}, ms.`, (entry) => latency(entry)?.mean),
  ...(['p50', 'p90', 'p95', 'p99', 'p999'] as const).map((key) =>
    number<Entry>(
      `${prefix}${key}_ms`,
      `${percentileNames[key]} of ${what}, ms. Empty with too few of them.`,
      (entry) => latency(entry)?.[key],
    ),
  ),
  number(`${prefix}max_ms`, `Maximum of ${what}, ms.`, (entry) => latency(entry)?.max),
];

/** The times of connecting, where connections open their sessions anew. */
export const connectingColumns = <Entry>(
  connecting: (entry: Entry) => ConnectingSummary | null | undefined,
): readonly ColumnOf<Entry>[] => [
  ...latencyColumns<Entry>('connect_', 'times to open a session anew', (entry) => connecting(entry)?.latencyMs),
  whole('connect_failed', 'Attempts to open a session that failed.', (entry) => connecting(entry)?.failed),
  number('connect_end_ms', 'Mean time of ending the session before, ms.', (entry) => connecting(entry)?.endMs),
  number(
    'connect_prepare_ms',
    'Mean time of preparing the statements of the new session, ms.',
    (entry) => connecting(entry)?.prepareMs,
  ),
  number(
    'connect_share',
    'Share (0 to 1) of connecting in the time for connecting, calls and transactions.',
    (entry) => connecting(entry)?.share,
  ),
];

const percentileNames = {
  p50: 'Median',
  p90: '90th percentile',
  p95: '95th percentile',
  p99: '99th percentile',
  p999: '99.9th percentile',
} as const;
