import { planShape, type QueryPlan } from '#engine-api/query-plan.ts';
import { formatMs } from '#model/format/format.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { isFarOff } from '../../server/misestimates.ts';
import { number, time } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown, statementsDoNotAddUp } from '../shared/outcomes.ts';
import { barsOf } from '../shared/picture.ts';
import { noPlanText, type PlannedStatement, statementsOf } from './statements-of.ts';

/** With a smaller ratio, the rows that the values select explain the time. */
const leastRatio = 2;
/** With fewer rows, every plan is fast. */
const leastRows = 1_000;

/**
 * Two statements of one text whose values select far different numbers of rows, and which the server executed by one
 * plan with equal estimates: the plan was not made for these values. A plan that is made for its values has other
 * estimates even where its steps are the same.
 */
export const planIgnoresValues: Rule = {
  title: 'Plan ignores the values',
  looksFor:
    'statements of one text and different values that have one plan, although the values decide how long it takes',
  shownWhen:
    'two statements of a cell have the same text, other parameters, the same plan with the same estimates, and in a step 10 times as many rows as the other (at least 1,000); and one takes at least twice as long in every repeat',
  find: eachCell(outcomeOf, {
    cells: ({ measured }) => measured.filter(({ settings }) => settings.operation === 'statement'),
    whyNone: 'The work is no custom statement.',
  }),
};

/** Two statements of one text; `slow` takes longer. */
interface Pair {
  readonly slow: TimedStatement;
  readonly fast: TimedStatement;
}

interface TimedStatement extends PlannedStatement {
  readonly plan: QueryPlan;
  readonly meanMs: number;
}

function outcomeOf(_: RunFacts, cell: CellFacts): CellOutcome {
  const statements = statementsOf(cell);
  const why = noPlanText(statements);
  if (why !== null) return cannotTell(why);
  const pairs = pairsOf(cell, statements);
  if (pairs.length === 0) return notShown('No two statements have the same text and other parameters.');
  if (cell.statements === null) return statementsDoNotAddUp;
  if (pairs.every(({ slow, fast }) => ![slow, fast].every(({ plan }) => plan.steps.some(hasCounts))))
    return cannotTell(
      'No plan has estimates and counted rows, because the server did not execute the statements for it.',
    );
  const found = pairs
    .filter(isBlind)
    .filter((pair) => isSlowInEachRepeat(cell, pair))
    .toSorted((a, b) => b.slow.meanMs / b.fast.meanMs - a.slow.meanMs / a.fast.meanMs)[0];
  if (found === undefined)
    return notShown('Statements of one text have other plans, other estimates, about as many rows, or similar times.');
  const { slow, fast } = found;
  const better = fasterElsewhere(cell, slow);
  const most = (plan: QueryPlan) => Math.max(...plan.steps.map(({ examinedRows }) => examinedRows ?? 0));
  const own = time(`Mean time of ${slow.title}`, slow.meanMs, 'statement-latency');
  const other = time(`Mean time of ${fast.title}`, fast.meanMs, 'statement-latency');
  const elsewhere = better && time(`Mean time of ${slow.title} with another plan`, better.meanMs, 'statement-latency');
  return shown({
    claim: `${cell.name}: ${slow.title} and ${fast.title} have the same text and the same plan, with the same estimates, and take ${formatMs(slow.meanMs)} and ${formatMs(fast.meanMs)}: the time depends on the values, and the plan does not.${better ? ` By another plan, ${slow.title} takes ${formatMs(better.meanMs)} (${better.where}).` : ''}`,
    confidence: better ? 'certain' : 'likely',
    explains: better && slow.timeShare !== null ? slow.timeShare * (1 - better.meanMs / slow.meanMs) : 0,
    evidence: [
      own,
      other,
      elsewhere,
      number(`Rows read by ${slow.title}`, Math.round(most(slow.plan)), 'query-plans'),
      number(`Rows read by ${fast.title}`, Math.round(most(fast.plan)), 'query-plans'),
    ],
    advice:
      'The plan was made for all values, or for the first ones that the server saw (“parameter sniffing”, “bind peeking”). Have a plan made for the values: write the value into the text, or ask for a plan of each execution by a parameter of the session or a hint. Planning each execution costs processor time, so a statement that runs thousands of times a second may be better off with two texts.',
    confirm: null,
    picture: barsOf('Mean time of statements with one text', own, other, ...(elsewhere ? [elsewhere] : [])),
  });
}

const hasCounts = ({ estimatedRows, examinedRows }: QueryPlan['steps'][number]): boolean =>
  estimatedRows !== null && examinedRows !== null;

function pairsOf(cell: CellFacts, statements: readonly PlannedStatement[]): readonly Pair[] {
  const timed = statements.flatMap((one): readonly TimedStatement[] => {
    const meanMs = cell.summary.statements?.find(({ name }) => name === one.name)?.latencyMs.mean ?? null;
    return one.plan === null || one.text === null || meanMs === null || meanMs <= 0
      ? []
      : [{ ...one, plan: one.plan, meanMs }];
  });
  const parametersOf = ({ name }: TimedStatement) =>
    JSON.stringify(name === null ? null : (cell.experiment.statements?.[name]?.parameters ?? null));
  return [...Map.groupBy(timed, ({ text }) => text!.trim().replaceAll(/\s+/g, ' ')).values()].flatMap((alike) =>
    alike.flatMap((a, i) =>
      alike.slice(i + 1).flatMap((b): readonly Pair[] => {
        if (parametersOf(a) === parametersOf(b)) return [];
        return [a.meanMs >= b.meanMs ? { slow: a, fast: b } : { slow: b, fast: a }];
      }),
    ),
  );
}

/** True if both have one plan with the same estimates, and a step with far more rows for the slower one. */
function isBlind({ slow, fast }: Pair): boolean {
  if (planShape(slow.plan) !== planShape(fast.plan)) return false;
  if (slow.plan.executed !== fast.plan.executed) return false;
  const steps = slow.plan.steps.map((step, i) => [step, fast.plan.steps[i]!] as const);
  return (
    steps.every(([a, b]) => a.estimatedRows === b.estimatedRows) &&
    steps.some(
      ([a, b]) =>
        hasCounts(a) &&
        hasCounts(b) &&
        a.examinedRows! >= leastRows &&
        a.examinedRows! > b.examinedRows! &&
        isFarOff(a.examinedRows!, b.examinedRows!),
    )
  );
}

/** Mean service times of a statement in the good repeats of a cell that called it. */
const repeatMeansMs = ({ views }: CellFacts, statement: string | null): readonly number[] =>
  views.flatMap(({ result }) => {
    const own = result?.statements?.find(({ name, kind }) => name === statement && kind === 'statement');
    const service = own ? Histogram.decode(own.service) : null;
    return service === null || service.count === 0 ? [] : [service.mean / 1e6];
  });

/** True if even the fastest repeat of the one takes far longer than the slowest repeat of the other. */
function isSlowInEachRepeat(cell: CellFacts, { slow, fast }: Pair): boolean {
  const [long, short] = [repeatMeansMs(cell, slow.name), repeatMeansMs(cell, fast.name)];
  return long.length > 0 && short.length > 0 && Math.min(...long) >= leastRatio * Math.max(...short);
}

/** The variant with another plan of the statement in which all repeats were faster than all repeats of this cell. */
function fasterElsewhere(cell: CellFacts, slow: TimedStatement) {
  const fastestMs = Math.min(...repeatMeansMs(cell, slow.name));
  const others = cell.neighbours().flatMap(({ factor, level, cell: other }) => {
    const plan = statementsOf(other).find(({ name }) => name === slow.name)?.plan;
    const means = repeatMeansMs(other, slow.name);
    const isFaster = means.length > 0 && leastRatio * Math.max(...means) <= fastestMs;
    if (!plan || !isFaster || planShape(plan) === planShape(slow.plan)) return [];
    return [{ where: `${factor}: ${String(level)}`, meanMs: means.reduce((sum, ms) => sum + ms, 0) / means.length }];
  });
  return others.toSorted((a, b) => a.meanMs - b.meanMs)[0];
}
