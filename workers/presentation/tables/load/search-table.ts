import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { loadNouns, type Search, searchAims } from '#experiment/schema/search.ts';
import { formatMs } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import { type NamedGoal, namedGoals } from '#planning/judged/named-goals.ts';
import type { SearchSummary } from '#planning/search/search.ts';
import {
  cellThere,
  foundLoadText,
  hasOtherRows,
  missedText,
  otherRowsText,
  rateThere,
  searchEndText,
} from '../../text/search-text.ts';
import { sentences } from '../../text/sentences.ts';
import { coefficientsText, peakText } from '../../text/sweep-text.ts';
import { heads, type NotedTable, numbers, type PanelRow, remarks, targets } from '../shared/panel-table.ts';

/** The description of a run's search. Empty without a search. */
export const searchTitle = ({ plan: { measure } }: Pick<RunModel, 'plan'>): string =>
  measure.search ? `Search for the ${searchAims[measure.search.find].noun}` : '';

/** The note that explains the answers of a search and their intervals. */
function noteOf({ find, relativeStep }: Search, goals: readonly NamedGoal[]): string {
  const share = `${Number((relativeStep * 100).toPrecision(3))} %`;
  const bounds =
    'The interval extends from the highest tested load that is certainly below the answer to the lowest that is certainly above it (Student’s t, 95 %, on the logarithms of the repeats, with a variance pooled over all loads).';
  switch (find) {
    case 'saturation':
      return `The lowest load whose throughput is less than ${share} below the highest. ${bounds} The search stops raising the load after two doublings in a row that gain less than ${share}; at the highest allowed load, one is enough.`;
    case 'limit':
      return `The highest load below all loads that exceed the limit. A load exceeds the limit if, of all repeats together, ${missedText(goals)}, or if less than 95 % of the arriving work is finished in time. With too few calls for a percentile (p99: fewer than 1,000), the search only tests whether too many calls are slower, and no percentile is shown. ${bounds}`;
    case 'knee':
      return 'The Universal Scalability Law is fitted to all tested loads. The knee is 1 ÷ σ, with a 95 % bootstrap interval. The search stops raising the load when throughput falls.';
  }
}

const dash = '–';

/** The answer of each search, its measurements, and the reason why it ended. Empty without a search. */
export function searchTable(model: RunModel): NotedTable {
  const { search } = model.plan.measure;
  const unit = rateUnit(model);
  const loads = search ? loadNouns(search) : '';
  const isKnee = search?.find === 'knee';
  return {
    note: search ? noteOf(search, namedGoals(model.plan.experiment)) : '',
    columns: [
      ...[...heads('Variant'), ...targets('Target')],
      ...numbers(...(isKnee ? ['knee, connections', 'σ contention', 'κ coherency'] : [loads])),
      ...numbers(`${unit} there`, 'p99 there', 'trials'),
      ...remarks('Why it ended'),
    ],
    rows: search ? model.searches.map((one) => rowOf(model, one, search, unit)) : [],
  };
}

function rowOf(model: RunModel, one: SearchSummary, search: Search, unit: string): PanelRow {
  const cell = cellThere(model, one);
  const law = one.end?.law;
  const [, sigma, kappa] = law?.fit ? coefficientsText(law.fit, unit) : [];
  const found = foundLoadText(one, search);
  const why = searchEndText(one, search, model, unit);
  const peak = law ? peakText({ ...law, unit }) : '';
  return {
    cells: [
      ...[one.label === '' ? loadNouns(search) : one.label, one.target],
      ...(search.find === 'knee' ? [found, sigma?.value ?? dash, kappa?.value ?? dash] : [found]),
      rateThere(model, one) ?? dash,
      formatMs(cell?.latencyMs.p99),
      String(one.trials),
      sentences(
        why,
        hasOtherRows(model, one) ? sentence(otherRowsText) : '',
        peak === '' ? '' : `According to the law, ${peak}`,
        cell?.clientSaturated ? 'The client limits this load: the server may be faster.' : '',
      ),
    ],
  };
}
