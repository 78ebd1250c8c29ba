import type { PlanComparison } from '#analysis/compare/compare-plans.ts';
import { type Tournament, tournamentsOf } from '#analysis/compare/tournament.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { changeText } from '#analysis/text/tournament-text.ts';
import { tournamentChart } from '../charts/tournament-chart.ts';
import { scaleNote, tournamentCsv, tournamentTable } from '../tables/comparison/tournament-table.ts';
import { planPairTable } from '../tables/server/query-plan-table.ts';
import type { Block, Content, PanelInput } from './panel.ts';

/** The most pairs of plans in a report. In the window readers choose any two. */
const mostPairs = 5;

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

const sides = ['Baseline', 'Change'] as const;

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
    {
      kind: 'fold',
      summary: 'Plans beside the baseline’s',
      isOpenInReport: true,
      blocks: [
        {
          kind: 'pair',
          label: 'Plans of the baseline and of a change side by side',
          sides,
          left: bases.map(({ pair, baseline }) => `${changeText(plan, baseline, baseline)}: ${place(pair)}`),
          right: pairs.map(({ pair, name }) => `${name}: ${place(pair)}${pair.hasChanged ? '' : ' (same)'}`),
          inReport: changed.length > 0 ? changed.slice(0, mostPairs) : [[0, 0]],
          draw: (left, right) => [
            { kind: 'table', table: planPairTable(bases[left]!.pair.before, pairs[right]!.pair.after, sides) },
          ],
        },
      ],
    },
  ];
}
