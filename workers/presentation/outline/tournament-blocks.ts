import type { PlanComparison } from '#analysis/compare/compare-plans.ts';
import { type Tournament, tournamentsOf } from '#analysis/compare/tournament.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { changeText } from '#analysis/text/tournament-text.ts';
import { tournamentChart } from '../charts/tournament-chart.ts';
import { scaleNote, tournamentCsv, tournamentTable } from '../tables/comparison/tournament-table.ts';
import type { Block, Content, PanelInput } from './panel.ts';
import { planPairs } from './plan-pairs.ts';

/** The table of the targets that are shown, the picture of each, and the plans beside those of the baseline. */
export function tournamentContent({ model, run, baseline, theme, widthPx }: PanelInput): Content {
  const shown = new Set(model.plan.targets.map(({ name }) => name));
  const all = tournamentsOf(run, baseline).filter(({ target }) => shown.has(target));
  const { note, ...table } = tournamentTable(run, all);
  const charts = all.map((one): Block => ({ kind: 'chart', chart: tournamentChart(run, one, theme, widthPx) }));
  return {
    kind: 'blocks',
    note: `${note} ${scaleNote}`,
    blocks: [{ kind: 'table', table, label: 'Tournament' }, ...planBlocks(run, all), ...charts],
    csv: tournamentCsv(run, all),
  };
}

function planBlocks({ plan }: RunModel, all: readonly Tournament[]): readonly Block[] {
  const pairs = all.flatMap(({ baseline, rows }) =>
    rows.flatMap(({ state, plans }) =>
      state === 'baseline'
        ? []
        : plans.map((pair) => ({ pair, baseline, name: changeText(plan, pair.after.variant, baseline) })),
    ),
  );
  if (pairs.length === 0) return [];
  const place = ({ after: { statement, target } }: PlanComparison) =>
    `${statement ?? 'the operation'}${plan.targets.length > 1 ? ` on ${target}` : ''}`;
  const bases = [...new Map(pairs.map((one) => [place(one.pair), one])).values()];
  const baseOf = (pair: PlanComparison) => bases.findIndex((one) => place(one.pair) === place(pair));
  const changed = pairs.flatMap(({ pair }, i) => (pair.hasChanged ? [[baseOf(pair), i] as const] : []));
  return [
    planPairs(
      'Plans beside the baseline’s',
      'Plans of the baseline and of a change side by side',
      ['Baseline', 'Change'],
      [
        bases.map(({ pair, baseline }) => ({
          name: `${changeText(plan, baseline, baseline)}: ${place(pair)}`,
          plan: pair.before,
        })),
        pairs.map(({ pair, name }) => ({
          name: `${name}: ${place(pair)}${pair.hasChanged ? '' : ' (same)'}`,
          plan: pair.after,
        })),
      ],
      changed,
    ),
  ];
}
