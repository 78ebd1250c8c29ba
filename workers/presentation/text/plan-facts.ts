import type { RunModel } from '#analysis/run-model/run-model.ts';
import { repeatsText } from '#analysis/text/verdict-text.ts';
import { isCold } from '#engine-api/support/cold-cache.ts';
import { sizeOfTables } from '#model/dataset/tables.ts';
import { formatCount, formatRows } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { sharedLoadLines } from '#planning/load-lines.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { instanceTexts } from '#planning/server-instances.ts';
import { factorText, formatLevel, plansOf, variantText } from '#planning/variant-of.ts';
import type { Plan } from '#protocol/plan.ts';
import type { Fact } from './fact.ts';
import { differingTexts, loadFacts } from './load-text.ts';

/** The plan of the run: question, targets, trials, repeats, load, order and data. */
export function planFacts({ plan, trials, enough }: Pick<RunModel, 'plan' | 'trials' | 'enough'>): readonly Fact[] {
  const { measure, experiment } = plan;
  const plans = plansOf(plan);
  const inAll = (text: (one: Plan) => string) => differingTexts([...new Set(plans.map(text))]);
  const cells = `${many(plan.variants.length, 'variant')} ${measure.search ? 'on' : '×'} ${many(plan.targets.length, 'target')}`;
  return [
    ['Question', experiment.question],
    ['Targets', plan.targets.map(({ name }) => name).join(', ')],
    ...factorFacts(plan),
    [
      'Trials',
      measure.search
        ? `${trials.length} chosen by the search: ${cells}`
        : `${trials.length}: ${cells} × ${repeatCounts(measure)}, without skipped trials`,
    ],
    ['Repeats', repeatsText({ plan, enough })],
    ['A trial ends', inAll(trialEndText)],
    ['Warm-up', inAll(warmupText)],
    ...loadFacts(plan),
    ...instanceTexts(plan).map((text) => ['Servers', text] as const),
    ['Order', measure.order === 'interleaved' ? `interleaved, seed ${measure.seed}` : 'as written'],
    ...(plans.some(hasDataset) ? [['Dataset', inAll(datasetText)] as const] : []),
    ...sharedLoadLines(plan).map((line): Fact => ['Shared load', line]),
    ...(plans.some(({ experiment: { tables = {} } }) => Object.keys(tables).length > 0)
      ? [['Tables', inAll(tablesText)] as const]
      : []),
  ];
}

/** "3 repeats", "5 to 30 repeats". */
function repeatCounts(measure: Plan['measure']): string {
  const { min, max } = repeatsOf(measure);
  return min === max ? many(max, 'repeat') : `${min} to ${many(max, 'repeat')}`;
}

/** The levels of each factor. The variants are their combinations. */
function factorFacts({ variants }: Plan): readonly Fact[] {
  const factors = [...new Set(variants.flatMap(({ levels }) => Object.keys(levels)))];
  const texts = factors.map((factor) => {
    const levels = variants.flatMap(({ levels: { [factor]: level } }) =>
      level === undefined ? [] : formatLevel(factor, level),
    );
    return `${factorText(factor)}: ${listed([...new Set(levels)])}`;
  });
  return texts.length === 0 ? [] : [[texts.length === 1 ? 'Factor' : 'Factors', texts.join('; ')]];
}

/** Levels with commas are in quotes. */
const listed = (levels: readonly string[]): string =>
  levels.map((level) => (levels.some((one) => one.includes(', ')) ? `“${level}”` : level)).join(', ');

/** False where custom statements use other tables alone. */
const hasDataset = ({ experiment: { dataset } }: Plan): boolean => Object.keys(dataset.columns).length > 0;

function datasetText(plan: Plan): string {
  const { experiment, measure } = plan;
  const { name, seed } = experiment.dataset;
  const called = name === undefined ? '' : `${name}, `;
  return hasDataset(plan) ? `${called}${many(measure.rows, 'row')}, seed ${seed}` : 'none';
}

/** The tables of custom statements. Without custom statements the dataset describes all data. */
function tablesText({ experiment }: Plan): string {
  const each = Object.entries(experiment.tables ?? {}).map(([name, { rows }]) => `${name} ${formatCount(rows)}`);
  return each.length === 0 ? 'none' : `${formatRows(sizeOfTables(experiment))}: ${each.join(', ')}`;
}

/** The trials in order with their outcomes, one per line. */
export const trialLines = ({ plan, trials }: Pick<RunModel, 'plan' | 'trials'>): string =>
  trials
    .map(({ trial: { number, variant, target, repeat }, result, damage }) => {
      const status = result?.status ?? (damage === null ? 'not run' : 'damaged');
      return `${String(number).padStart(4)}  ${variantText(plan, variant)} on ${target}, repeat ${repeat}: ${status}`;
    })
    .join('\n');

/** Says when a trial ends: "when 50,000 rows are done", "after 5 s", "after 5 calls". */
function trialEndText({ measure }: Plan): string {
  switch (measure.until) {
    case 'rows':
      return `when ${formatCount(measure.rows)} rows are done`;
    case 'time':
      return `after ${measure.seconds} s`;
    case 'calls':
      return `after ${measure.calls} calls`;
  }
}

function warmupText({ measure, variants }: Plan): string {
  if (measure.until === 'calls') return 'none';
  const usual = measure.until === 'rows' ? `${formatCount(measure.warmupRows)} rows` : `${measure.warmupSeconds} s`;
  return variants.some(({ settings }) => isCold(settings)) ? `${usual}; none before cold trials` : usual;
}
