import { formatShort } from '#model/format/format.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { factorText, variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { clientParts, partLabels } from '../../client/client-time.ts';
import type { CellSummary, TrialView } from '../../run-model/run-model.ts';
import { countsRows, findCell } from '../../run-model/select-cells.ts';
import { resourceLabels } from '../../server/resource-labels.ts';
import { rankedClasses } from '../../server/server-time.ts';
import type { Compared } from './compare-cells.ts';
import type { CellFacts, RunFacts } from './facts.ts';
import type { Shown } from './finding.ts';
import { barsOf, type Picture, partsOf, type Series, shareOf } from './picture.ts';

/** The time of the client's processes by activity; null: not recorded. */
export const clientTimePicture = ({ summary: { clientTime } }: CellFacts): Picture | null =>
  clientTime &&
  partsOf(
    'Time of the client processes',
    clientParts.map((part) => [partLabels[part], clientTime[part], { part }]),
  );

/** The server's own time by class; null: unknown. */
export function serverTimePicture({ server }: CellFacts): Picture | null {
  const classes = rankedClasses(server.ownShare);
  return classes.length === 0
    ? null
    : partsOf(
        'The server’s own time',
        classes.map(([one, value]) => [resourceLabels[one], value, { class: one }]),
      );
}

const throughputTitle = ({ unit }: RunFacts): string => `Throughput (${unit})`;

const throughput = (label: string, value: number) => ({ label, value, text: formatShort(value) });

/** The throughput of a cell beside a neighbour's; null: there is no neighbour. */
export const comparedPicture = (facts: RunFacts, cell: CellFacts, compared: Compared | undefined): Picture | null =>
  compared === undefined || cell.throughput === null || compared.cell.throughput === null
    ? null
    : barsOf(
        throughputTitle(facts),
        throughput('this cell', cell.throughput),
        throughput(`with ${factorText(compared.factor)} ${compared.level}`, compared.cell.throughput),
      );

/** The trials of a cell that are long enough for a line over their seconds. */
export const longViews = ({ views }: CellFacts): readonly TrialView[] =>
  views.filter(({ series }) => series.atMs.length > 2);

/** The throughput of a trial in each second, over time or over given values for each second. */
export const secondsPicture = (
  facts: RunFacts,
  view: TrialView,
  more: Pick<Series, 'bands'> = {},
  over: { readonly name: Series['over']; readonly at: readonly number[] } = { name: 'time', at: view.series.atMs },
): Picture => {
  const rates = countsRows(facts.model) ? view.series.rowsPerSecond : view.series.callsPerSecond;
  return {
    kind: 'series',
    title: `${throughputTitle(facts)}, repeat ${view.trial.repeat}`,
    over: over.name,
    points: over.at.map((x, i) => ({ x, y: rates[i]! })),
    marks: [],
    ...more,
  };
};

/** Units whose amounts are not comparable. */
const noAmounts = ['share', '', 'ratio'];

/** Amounts of the evidence with the same unit; null: no two share a unit. */
function amountsPicture({ evidence }: Shown): Picture | null {
  const amounts = evidence.filter(({ unit, value }) => !noAmounts.includes(unit) && value > 0);
  const [most] = [...Map.groupBy(amounts, ({ unit }) => unit).values()]
    .filter((own) => own.length > 1)
    .toSorted((a, b) => b.length - a.length);
  if (most === undefined) return null;
  const { unit } = most[0]!;
  const title = { ms: 'Time', bytes: 'Bytes' }[unit] ?? unit;
  return {
    kind: 'bars',
    title,
    marks: most.map(({ label, value, text }) => ({ label, value, text, tone: 'own' })),
  };
}

/** Greatest number of bars beside the bar of the finding's cell. */
const mostCells = 5;

/** The throughput of the cell among the cells of its variant, or else of its target. */
function amongCells(facts: RunFacts, { cell }: Shown): Picture | null {
  const { model } = facts;
  const own = cell === null ? undefined : findCell(model, cell.variant, cell.target);
  if (own?.rowsPerSecond == null) return null;
  const others = model.cells.filter(
    (one) => one.rowsPerSecond !== null && isContender(model, one.target) && keyOf(one) !== keyOf(own),
  );
  const sameVariant = others.filter(({ variant }) => variant === own.variant);
  const isAcross = sameVariant.length > 0;
  const bar = (one: CellSummary) =>
    throughput(isAcross ? one.target : variantText(model.plan, one.variant), one.rowsPerSecond!.value);
  const beside = isAcross ? sameVariant : others.filter(({ target }) => target === own.target);
  return barsOf(throughputTitle(facts), bar(own), ...beside.slice(0, mostCells).map(bar));
}

/**
 * The default picture of a finding: amounts of its evidence, or its first share, or its cell among the others. Null:
 * the finding is about the whole run and has no such evidence.
 */
export function evidencePicture(facts: RunFacts, shown: Shown): Picture | null {
  const share = shown.evidence.find(({ unit, value }) => unit === 'share' && value >= 0 && value <= 1);
  return amountsPicture(shown) ?? (share ? shareOf(share) : null) ?? amongCells(facts, shown);
}
