import { publishedComparisons } from '#analysis/compare/published.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatRatioInterval } from '#model/format/format.ts';
import { variantText } from '#planning/variant-of.ts';
import { numbers, words } from '../tables/shared/panel-table.ts';
import { formatPublishedPlace, formatPublishedRatio, sourceText } from '../text/published-text.ts';
import type { Block } from './panel.ts';

export const publishedNote =
  'Figures that others published for the same experiment on other hardware, as ratios to the same variant. They are shown for orientation; no verdict depends on them.';

/** Published ratios beside those of this run, source by source. Empty if none can be compared. */
export const publishedBlocks = (model: RunModel): readonly Block[] =>
  [...Map.groupBy(publishedComparisons(model), ({ published }) => published)].flatMap(([published, all]) => {
    const columns = [...words('Variant', 'Compared with', 'Target'), ...numbers('Published', 'Here')];
    const rows = all.map((one) => ({
      cells: [
        ...[formatPublishedPlace(model, one), variantText(model.plan, one.baseline.variant), one.baseline.target],
        ...[formatPublishedRatio(one), formatRatioInterval(one.here)],
      ],
    }));
    return [
      { kind: 'text', text: sourceText(published) },
      { kind: 'table', table: { columns, rows } },
    ] as const;
  });
