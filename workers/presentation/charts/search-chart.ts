import { latencyTitle, loadLatencyText } from '#analysis/cells/load-summary.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { findCell, rateUnit } from '#analysis/run-model/select-cells.ts';
import { loadNouns } from '#experiment/schema/search.ts';
import { formatMs } from '#model/format/format.ts';
import { p99GoalMs } from '#planning/judged/named-goals.ts';
import { trialLatency } from '#planning/rates/load-rates.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { variantOf } from '#planning/variant-of.ts';
import { msAxis, rateAxis } from './kit/axes.ts';
import type { SceneChart } from './kit/chart.ts';
import { exactly } from './kit/scale.ts';
import { type ChartTheme, colourOf } from './kit/theme.ts';
import { chosenTargets, type Selection } from './plot/select.ts';
import { drawSweep, levelNames, levelsOf, type SweepMeasure } from './sweep-chart.ts';

/** The curve of a search so far: throughput and p99 over the load, with the answers as markers. */
export function searchChart(model: RunModel, theme: ChartTheme, selection: Selection = {}): SceneChart {
  const { search } = model.plan.measure;
  const unit = rateUnit(model);
  const limitMs = search?.find === 'limit' ? p99GoalMs(model.plan.experiment) : null;
  const setting = search?.setting ?? '';
  const targets = new Map(chosenTargets(model, selection).map(({ name, index }) => [name, index]));
  const marks: SweepMeasure['marks'] = (combination) =>
    model.searches.flatMap(({ target, label, end }) => {
      const index = targets.get(target);
      return index === undefined || label !== combination || !end?.answer || end.reason !== 'found'
        ? []
        : [{ x: exactly([end.answer.value])[0]!, label: '', colour: colourOf(theme, index) }];
    });
  const p99Ms = (variant: string, target: string) => {
    const cell = findCell(model, variant, target);
    return cell?.latencyMs.p99 == null ? null : { value: cell.latencyMs.p99, low: null, high: null, n: cell.ok };
  };
  const titled = (what: string) => (combination: string) => (combination === '' ? what : `${combination}: ${what}`);
  const measures: readonly SweepMeasure[] = [
    {
      title: titled(`Throughput (${unit})`),
      of: (variant, target) => findCell(model, variant, target)?.rowsPerSecond,
      ...rateAxis,
      marks,
    },
    {
      title: titled(`${latencyTitle(model.cells)}, p99`),
      of: p99Ms,
      ...msAxis,
      scale: 'log',
      marks,
      ...(limitMs === null ? {} : { limit: { value: limitMs, label: `limit ${formatMs(limitMs)}` } }),
    },
  ];
  const tried = model.trials.filter(({ trial, result }) => result?.status === 'ok' && targets.has(trial.target));
  return {
    id: 'search-curve',
    title: search ? `What the search found over ${loadNouns(search)}` : '',
    note: `Means of the repeats, with 95 % confidence intervals where a load has several repeats.${loadLatencyText(model.cells)} Dotted lines mark the answers.`,
    scene: drawSweep(model, setting, measures, theme, selection),
    data: {
      columns: [
        ...['trial in order', ...levelNames(model.plan.variants)],
        ...['target', 'repeat', unit, 'p99 ms', 'client-bound'],
      ],
      rows: !search
        ? []
        : tried.map(({ trial, result }, i) => [
            i + 1,
            ...levelsOf(variantOf(model.plan, trial.variant)!),
            ...[trial.target, trial.repeat, throughputOf(result!)],
            trialLatency(result!.totals).p99,
            result!.clientSaturated ? 'yes' : 'no',
          ]),
    },
  };
}
