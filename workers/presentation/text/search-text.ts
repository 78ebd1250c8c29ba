import type { RunModel } from '#analysis/run-model/run-model.ts';
import { findCell, rateUnit } from '#analysis/run-model/select-cells.ts';
import { loadNouns, type Search } from '#experiment/schema/search.ts';
import { formatInterval, formatUpTo } from '#model/format/format.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { goalParts, type NamedGoal, namedGoals } from '#planning/judged/named-goals.ts';
import { isContender } from '#planning/rates/contenders.ts';
import type { Estimate } from '#planning/search/fit-sweep.ts';
import type { SearchSummary } from '#planning/search/search.ts';
import { kneeText, nameOf } from './sweep-text.ts';

const number = (load: number): string => formatUpTo(load, 4);

/** The answer with its known bounds: "38 (36–40)". */
function formatAnswer({ value, low, high }: Estimate): string {
  if (low > 0 && high !== null) return `${number(value)} (${number(low)}–${number(high)})`;
  if (high !== null) return `${number(value)} (${number(high)} or less)`;
  return low > 0 ? `${number(value)} (${number(low)} or more)` : number(value);
}

/** The load that the search has found so far. */
export function foundLoadText({ end, at }: SearchSummary, { from, find }: Search): string {
  if (end === null) return '–';
  const { reason, answer } = end;
  if (reason === 'atFrom') return find === 'limit' ? `below ${number(at?.load ?? from)}` : `${number(from)} or less`;
  if (answer === null) return '–';
  return reason === 'found' ? formatAnswer(answer) : `${number(answer.value)} or more`;
}

const all = lazyList('en', 'conjunction');
const any = lazyList('en', 'disjunction');

/** "p99 at or below 20 ms": the goals as limits that were held. */
const goalsText = (goals: readonly NamedGoal[]): string =>
  all.format(goals.map((goal) => goalParts(goal).join(' at or below ')));

/** "p99 stays at or below 20 ms and errors of sell stay at or below 0.1 %". */
const keptText = (goals: readonly NamedGoal[]): string =>
  all.format(
    goals.map((goal) => goalParts(goal).join(goal.of === 'errors' ? ' stay at or below ' : ' stays at or below ')),
  );

/** "p99 is above 20 ms or errors of sell are above 0.1 %". */
export const missedText = (goals: readonly NamedGoal[]): string =>
  any.format(goals.map((goal) => goalParts(goal).join(goal.of === 'errors' ? ' are above ' : ' is above ')));

/** Says why a search ended, and what that means for its target. */
export function searchEndText(
  { end, error, at }: SearchSummary,
  search: Search,
  { status, plan }: Pick<RunModel, 'status' | 'plan'>,
  unit: string,
): string {
  if (end === null) return status === 'running' ? 'The search is still running.' : 'The search was not finished.';
  const { find, from, to } = search;
  const goals = namedGoals(plan.experiment);
  const loads = loadNouns(search);
  const rises = {
    saturation: 'throughput was still rising',
    limit: `${goalsText(goals)} ${goals.length === 1 ? 'was' : 'were'} held`,
    knee: 'no knee was shown',
  }[find];
  switch (end.reason) {
    case 'failed':
      return end.answer === null && end.at === null
        ? `No trial succeeded${error ? `: ${error.message}` : '.'}`
        : `Larger loads fail; up to there, ${rises}${error ? `. ${error.message}` : '.'}`;
    case 'noLaw':
      return end.law?.whyNoFit ?? '';
    case 'notReached':
      if (find === 'knee' && end.law) return kneeText({ ...end.law, unit });
      return `At ${number(to)} ${loads}, the largest load of the search, ${rises}.`;
    case 'atFrom':
      return find === 'limit'
        ? `At ${number(at?.load ?? from)} ${loads}, the smallest load that was tried, ${missedText(goals)}, or not all arriving work is completed.`
        : `From ${number(from)} ${loads} on, throughput does not rise.`;
    case 'found':
      if (find === 'knee' && end.law) return kneeText({ ...end.law, unit });
      return find === 'limit'
        ? `With more, ${missedText(goals)}, or not all arriving work is completed.`
        : 'With more, throughput does not rise.';
  }
}

/** The result of each search as a sentence. References and emulators have no sentence. */
export function searchHeadlines(model: RunModel): readonly string[] {
  const { search } = model.plan.measure;
  const searches = search ? model.searches.filter(({ target }) => isContender(model, target)) : [];
  return searches.map((one) => `${nameOf(one)}: ${headline(model, one, search!)}`);
}

function headline(model: RunModel, one: SearchSummary, search: Search): string {
  const unit = rateUnit(model);
  const why = searchEndText(one, search, model, unit);
  if (hasOtherRows(model, one)) return otherRowsText;
  if (one.end?.reason !== 'found') return why;
  const load = `${foundLoadText(one, search)} ${loadNouns(search)}`;
  const rate = rateThere(model, one);
  const there = rate === null ? '' : `, with ${rate} ${unit}`;
  switch (search.find) {
    case 'saturation':
      return `throughput stops rising at ${load}${there}.`;
    case 'limit':
      return `${keptText(namedGoals(model.plan.experiment))} up to ${load}${there}.`;
    case 'knee':
      return `the knee is at ${load}. ${why}`;
  }
}

/** The remark about a search whose load cannot be compared. */
export const otherRowsText = 'not comparable: its calls found nothing, or other rows or answers than elsewhere.';

/** True if the calls at the answer of a search found nothing, or other rows than elsewhere. */
export const hasOtherRows = (model: RunModel, search: SearchSummary): boolean =>
  (cellThere(model, search)?.rowProblems.length ?? 0) > 0;

export function cellThere(model: RunModel, { at, target }: SearchSummary) {
  return at === null ? undefined : findCell(model, at.variant, target);
}

export function rateThere(model: RunModel, search: SearchSummary): string | null {
  const rate = cellThere(model, search)?.rowsPerSecond;
  return rate ? formatInterval(rate) : null;
}
