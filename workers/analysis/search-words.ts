import { loadWords, type Search } from '#contract/search.ts';
import type { CellRow, CellTable } from './cell-table.ts';
import { isContender } from './contenders.ts';
import { formatInterval, formatMs } from './format.ts';
import type { RunModel } from './model.ts';
import type { SearchSummary } from './search.ts';
import type { SearchEnd } from './search-steps.ts';
import { findCell, rateUnit } from './select-cells.ts';
import type { Estimate } from './sweep-fit.ts';
import { coefficientsInWords, kneeInWords, nameOf, peakInWords } from './sweep-words.ts';

const number = (load: number): string => load.toLocaleString('en', { maximumSignificantDigits: 4 });

/** "38 (36–40)"; with what bounds there are. */
function answerInWords({ value, low, high }: Estimate): string {
  if (low > 0 && high !== null) return `${number(value)} (${number(low)}–${number(high)})`;
  if (high !== null) return `${number(value)} (${number(high)} or less)`;
  return low > 0 ? `${number(value)} (${number(low)} or more)` : number(value);
}

/** What is known of the load that was looked for. */
function loadInWords({ reason, answer }: SearchEnd, { from, find }: Search): string {
  if (reason === 'atFrom') return find === 'limit' ? `below ${number(from)}` : `${number(from)} or less`;
  if (answer === null) return '–';
  return reason === 'found' ? answerInWords(answer) : `${number(answer.value)} or more`;
}

/** Why a search is over, and what that says of its target. */
function whyInWords({ end, error }: SearchSummary, search: Search, status: RunModel['status'], unit: string): string {
  if (end === null) return status === 'running' ? 'The search goes on.' : 'The search was not finished.';
  const { find, from, to, p99Ms = null } = search;
  const loads = loadWords(search);
  const within = `p99 at or below ${formatMs(p99Ms)}`;
  const rises = { plateau: 'throughput was still rising', limit: `${within} was kept`, knee: 'no knee was shown' }[
    find
  ];
  switch (end.reason) {
    case 'failed':
      return end.answer === null && end.at === null
        ? `No trial went well${error ? `: ${error.message}` : '.'}`
        : `Trials fail beyond; until there ${rises}${error ? `. ${error.message}` : '.'}`;
    case 'noLaw':
      return end.law?.whyNoFit ?? '';
    case 'notReached':
      if (find === 'knee' && end.law) return kneeInWords({ ...end.law, unit });
      return `At ${number(to)} ${loads}, the most that were to be tried, ${rises}.`;
    case 'atFrom':
      return find === 'limit'
        ? `At ${number(from)} ${loads} already p99 is above ${formatMs(p99Ms)}, or not all that arrives is done.`
        : `From ${number(from)} ${loads} on throughput does not rise.`;
    case 'found':
      if (find === 'knee' && end.law) return kneeInWords({ ...end.law, unit });
      return find === 'limit'
        ? `With more, p99 is above ${formatMs(p99Ms)}, or not all that arrives is done.`
        : 'With more, throughput does not rise.';
  }
}

/** What was found, one sentence for each search; references and stand-ins have none. */
export function searchHeadlines(model: RunModel): readonly string[] {
  const { search } = model.plan.measure;
  const searches = search ? model.searches.filter(({ target }) => isContender(model, target)) : [];
  return searches.map((one) => `${nameOf(one)}: ${headline(model, one, search!)}`);
}

function headline(model: RunModel, one: SearchSummary, search: Search): string {
  const unit = rateUnit(model);
  const why = whyInWords(one, search, model.status, unit);
  if (one.end?.reason !== 'found') return why;
  const load = `${loadInWords(one.end, search)} ${loadWords(search)}`;
  const rate = rateThere(model, one);
  const there = rate === null ? '' : `, with ${rate} ${unit}`;
  switch (search.find) {
    case 'plateau':
      return `throughput stops rising at ${load}${there}.`;
    case 'limit':
      return `p99 stays at or below ${formatMs(search.p99Ms)} up to ${load}${there}.`;
    case 'knee':
      return `the knee is at ${load}. ${why}`;
  }
}

function cellThere(model: RunModel, { at, target }: SearchSummary) {
  return at === null ? undefined : findCell(model, at.variant, target);
}

function rateThere(model: RunModel, search: SearchSummary): string | null {
  const rate = cellThere(model, search)?.rowsPerSecond;
  return rate ? formatInterval(rate) : null;
}

const titles = {
  plateau: 'Search for the plateau',
  limit: 'Search for the highest load within the limit',
  knee: 'Search for the knee',
} as const;

/** How the answers and their intervals came about. */
function noteOf({ find, within, p99Ms }: Search): string {
  const share = `${Number((within * 100).toPrecision(3))} %`;
  const bounds =
    'The interval goes from the highest load that was tried and lies before that for certain to the lowest behind it: Student’s t, 95 %, on the logarithms of the repeats, their scatter pooled over all loads.';
  switch (find) {
    case 'plateau':
      return `The lowest load whose throughput is less than ${share} below the highest. ${bounds} The climb ends when two doublings in a row gain less than ${share}; at the highest load that may be tried, one is enough.`;
    case 'limit':
      return `The highest load below all that exceed the limit: p99 of all repeats together is above ${formatMs(p99Ms)}, or less than 95 % of what arrives is done in the time it takes. With fewer than 1,000 calls p99 says whether more than one in a hundred is slower, and is not shown. ${bounds}`;
    case 'knee':
      return 'The Universal Scalability Law over all loads that were tried: knee 1 ÷ σ, with its 95 % interval by a bootstrap. The climb ends when throughput falls.';
  }
}

const dash = '–';

/** The answer of each search, what is measured there, and why it was over. Nothing without a search. */
export function searchTable(model: RunModel): CellTable {
  const { search } = model.plan.measure;
  const unit = rateUnit(model);
  const loads = search ? loadWords(search) : '';
  const isKnee = search?.find === 'knee';
  return {
    id: 'search',
    title: search ? titles[search.find] : '',
    note: search ? noteOf(search) : '',
    columns: [
      ...(isKnee ? ['knee, connections', 'σ contention', 'κ coherency'] : [loads]),
      ...[`${unit} there`, 'p99 there', 'trials'],
    ],
    remark: 'Why it ended',
    rows: search ? model.searches.map((one) => rowOf(model, one, search, unit)) : [],
  };
}

function rowOf(model: RunModel, one: SearchSummary, search: Search, unit: string): CellRow {
  const cell = cellThere(model, one);
  const law = one.end?.law;
  const [, sigma, kappa] = law?.fit ? coefficientsInWords(law.fit, unit) : [];
  const found = one.end ? loadInWords(one.end, search) : dash;
  const why = whyInWords(one, search, model.status, unit);
  const peak = law ? peakInWords({ ...law, unit }) : '';
  return {
    variant: one.label === '' ? loadWords(search) : one.label,
    target: one.target,
    texts: [
      ...(search.find === 'knee' ? [found, sigma?.value ?? dash, kappa?.value ?? dash] : [found]),
      rateThere(model, one) ?? dash,
      formatMs(cell?.latencyMs.p99),
      String(one.trials),
    ],
    remark: [
      why,
      peak === '' ? '' : `By the law, ${peak}`,
      cell?.clientSaturated ? 'The client is what was measured there.' : '',
    ]
      .filter((words) => words !== '')
      .join(' '),
  };
}
