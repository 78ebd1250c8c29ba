import { textFor } from '#experiment/statements/statement-mix.ts';
import { formatCount, formatNumber, formatPercent } from '#model/format/format.ts';
import { allCalls } from '../../cells/statement-summary.ts';
import { confirmWith } from '../shared/confirm.ts';
import { number, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown, statementsDoNotAddUp } from '../shared/outcomes.ts';
import { type RepeatedLookUp, repeatedLookUps, withOneStatement } from './repeated-look-ups.ts';

/** Fewer look-ups in a unit of work cost little more than a single statement for all keys. */
const leastTimes = 5;
/** Least share of the connections' time in the look-ups; below it, a rewrite gains little. */
const leastShare = 0.1;

/**
 * A unit of work that looks up its rows one by one although a single statement with all keys would suffice: each
 * look-up is a separate round trip and a separate statement for the server. Only keys that the file draws are known
 * beforehand; keys captured by an earlier step are ignored.
 */
export const nPlusOne: Rule = {
  title: 'One look-up for each row',
  looksFor: 'units of work that run the same look-up many times, each time for one key (N+1)',
  shownWhen:
    'a transaction or a scenario runs a look-up by one key 5 times or more, and the look-ups take 10 % of the connections’ time',
  bottleneck: 'look-ups one by one',
  find: eachCell(outcomeOf, {
    cells: ({ measured }) => measured.filter(({ settings }) => settings.operation === 'statement'),
    whyNone: 'The work is no custom statement.',
  }),
};

interface Measured extends RepeatedLookUp {
  readonly calls: number;
  /** Share (0…1) of the time of all connections in the look-ups. */
  readonly timeShare: number;
}

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { experiment } = cell;
  const { statements = {} } = experiment;
  const choice = { target: cell.target.name, engine: cell.target.engine };
  const textOf = (name: string) => (statements[name] ? textFor(statements[name].text, choice) : null);
  const found = repeatedLookUps(experiment, textOf).filter(({ times }) => times >= leastTimes);
  if (found.length === 0) return notShown(`No unit of work runs the same look-up by key ${leastTimes} times.`);
  if (cell.statements === null) return statementsDoNotAddUp;
  const connectionMs = cell.elapsedMs * cell.settings.connections;
  const measured = found.flatMap((one): readonly Measured[] => {
    const own = cell.statements?.find(({ name, kind }) => name === one.statement && kind === 'statement');
    const { calls: made, ms } = own ? allCalls(own) : { calls: 0, ms: 0 };
    return made === 0 || connectionMs === 0 ? [] : [{ ...one, calls: made, timeShare: Math.min(1, ms / connectionMs) }];
  });
  const [worst] = measured.toSorted((a, b) => b.timeShare - a.timeShare);
  if (worst === undefined) return cannotTell('The look-ups that units of work repeat were not called.');
  const { unit, kind, statement, times, calls, timeShare } = worst;
  if (timeShare < leastShare)
    return notShown(
      `“${unit}” runs “${statement}” ${formatNumber(times)} times, which is ${formatPercent(timeShare)} of the connections’ time.`,
    );
  const often = Number.isInteger(times) ? `${formatCount(times)} times` : `${formatNumber(times)} times on average`;
  const edits = cell.target.descriptor.statements?.language === 'sql' ? withOneStatement(experiment, worst) : null;
  return shown({
    claim: `${cell.name}: the ${kind} “${unit}” runs “${statement}” ${often}, each time for one key, and these look-ups take ${formatPercent(timeShare)} of the connections’ time. One statement with all keys would need a single round trip.`,
    confidence: 'likely',
    explains: timeShare * (1 - 1 / times),
    evidence: [
      number(`Look-ups in a ${kind}`, times, 'statement-latency'),
      number('Look-ups, all repeats together', calls, 'statement-latency'),
      share('Share of the connections’ time', timeShare, 'statement-latency'),
    ],
    advice:
      'Read all rows at once, with a list of keys (IN, ANY, a table of values), or with a join to the table that the keys come from. Object-relational mappers call this eager loading.',
    confirm:
      edits &&
      confirmWith(
        facts,
        cell,
        {
          title: `${unit} with one statement`,
          question: `How long does “${unit}” take with one statement for all keys, compared with one for each?`,
        },
        edits,
      ),
  });
}
