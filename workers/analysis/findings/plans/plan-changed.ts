import { planShape, type QueryPlan } from '#engine-api/query-plan.ts';
import { formatPercent, formatRate } from '#model/format/format.ts';
import { type SettingName, settingDefinitions, settingNames } from '#model/settings/settings.ts';
import { isTimed, throughputOf } from '#planning/rates/trial-rate.ts';
import { workOf } from '#planning/work-of.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';
import { confirmWith } from '../shared/confirm.ts';
import { number, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { planPicture } from './plan-picture.ts';
import { noPlanText, statementsOf } from './statements-of.ts';

/**
 * A statement that a server executed by different plans although nothing changed that a plan should depend on: in the
 * repeats of one cell, before and after the measured phase of a trial, or in two variants that differ only in their
 * load. The server reported the plans. Executed plans are compared only with executed plans, because servers print the
 * two differently.
 */
export const planChanged: Rule = {
  title: 'Plan changed',
  looksFor:
    'statements whose plan differs between repeats of a cell, before and after the measured phase, or between variants whose difference should not change plans',
  shownWhen:
    'two plans of the same statement have different steps, in two repeats, before and after a measured phase, or in two variants that differ in load, method, commits, isolation or network',
  find: eachCell(outcomeOf),
};

/** A plan of a statement, and the trials that used it. */
interface Occurrence {
  readonly statement: string | null;
  readonly plan: QueryPlan;
  /** "in repeat 1, 3", "after the measured phase of repeat 2", "with connections 8". */
  readonly where: string;
  /** Throughput with this plan; null: it was not timed. */
  readonly rate: number | null;
}

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const why = noPlanText(statementsOf(cell));
  if (why !== null) return cannotTell(why);
  const repeats = inRepeats(cell);
  const found = changedIn(repeats) ?? changedIn(withinTrials(cell)) ?? changedIn(inVariants(facts, cell));
  if (found !== undefined) return outcomeOfChange(facts, cell, found);
  const isCompared = (of: readonly Occurrence[]) => [...byStatement(of)].some(({ length }) => length > 1);
  return isCompared(repeats) || isCompared(withinTrials(cell)) || isCompared(inVariants(facts, cell))
    ? notShown('Each statement has the same plan in all repeats, and in all variants that should not change it.')
    : cannotTell('There is one plan of each statement; a change needs at least two.');
}

/** The occurrences of each statement, executed and estimated plans apart. */
const byStatement = (occurrences: readonly Occurrence[]): Iterable<readonly Occurrence[]> =>
  Map.groupBy(occurrences, ({ statement, plan }) => `${statement}\n${plan.executed}\n${plan.command}`).values();

/** The first statement with plans of different shapes: one occurrence of each. */
function changedIn(occurrences: readonly Occurrence[]): readonly Occurrence[] | undefined {
  for (const own of byStatement(occurrences)) {
    const shapes = Map.groupBy(own, ({ plan }) => planShape(plan));
    if (shapes.size < 2) continue;
    return [...shapes.values()].map((alike): Occurrence => {
      const rates = alike.flatMap(({ rate }) => rate ?? []);
      return {
        ...alike[0]!,
        where: joined(alike.map(({ where }) => where)),
        rate: rates.length === 0 ? null : rates.reduce((sum, one) => sum + one, 0) / rates.length,
      };
    });
  }
  return undefined;
}

/** "in repeat 1", "in repeat 3" → "in repeat 1, 3" */
function joined(places: readonly string[]): string {
  const byWords = Map.groupBy(places, (place) => place.replace(/\S+$/, ''));
  return [...byWords]
    .map(([words, own]) => words + own.map((place) => place.slice(words.length)).join(', '))
    .join(', ');
}

const plansOf = (asked: readonly AskedPlan[]) =>
  asked.flatMap(({ statement, plan }) => (plan === null ? [] : [{ statement, plan }]));

const inRepeats = ({ views }: CellFacts): readonly Occurrence[] =>
  views.flatMap(({ trial, result, queryPlans }) =>
    plansOf(queryPlans).map((one) => ({
      ...one,
      where: `in repeat ${trial.repeat}`,
      rate: result && isTimed(result) ? throughputOf(result) : null,
    })),
  );

/**
 * Changes within trials that have plans from before and after the measured phase. They have no rates, because one trial
 * used both plans.
 */
const withinTrials = ({ views }: CellFacts): readonly Occurrence[] =>
  views.flatMap(({ trial, queryPlans, laterPlans }) =>
    queryPlans === laterPlans || laterPlans.length === 0
      ? []
      : [
          ...plansOf(queryPlans).map((one) => ({
            ...one,
            where: `before the measured phase of repeat ${trial.repeat}`,
            rate: null,
          })),
          ...plansOf(laterPlans).map((one) => ({
            ...one,
            where: `after the measured phase of repeat ${trial.repeat}`,
            rate: null,
          })),
        ],
  );

/** Settings, besides the load, that change neither the statement nor its table nor its rows. */
const otherSettings: readonly SettingName[] = [
  'method',
  'callsPerCommit',
  'maxAttempts',
  'pipelineDepth',
  'callsPerBatch',
  'generation',
  'nullBinding',
  'isolation',
  'networkRoundTripMs',
  'networkJitterMs',
  'networkMbit',
];
const isWithoutEffect = (name: SettingName): boolean =>
  settingDefinitions[name].scope === 'load' || otherSettings.includes(name);

/** Plans of this cell and of an earlier cell that differs only in these settings. */
function inVariants({ cells }: RunFacts, cell: CellFacts): readonly Occurrence[] {
  const index = cells.indexOf(cell);
  const alike = cell
    .neighbours()
    .filter((one) => cells.indexOf(one.cell) < index && differsInNothingElse(one.cell, cell));
  const compared = alike.find((one) => differs(one.cell, cell)) ?? alike[0];
  if (compared === undefined) return [];
  const of = (one: CellFacts, level: unknown) =>
    lastOf(one).map((asked) => ({ ...asked, where: `with ${compared.factor} ${String(level)}`, rate: one.throughput }));
  return [...of(compared.cell, compared.level), ...of(cell, compared.own)];
}

const differsInNothingElse = (a: CellFacts, b: CellFacts): boolean =>
  settingNames.every((name) => a.settings[name] === b.settings[name] || isWithoutEffect(name)) &&
  JSON.stringify(a.settings.options) === JSON.stringify(b.settings.options) &&
  workOfCell(a) === workOfCell(b);

/** The tables and texts of a cell, which levels may change. */
const workOfCell = ({ experiment, settings, target }: CellFacts): string =>
  workOf(experiment, settings, { target: target.name, engine: target.engine });

const lastOf = ({ views }: CellFacts) =>
  plansOf(views.findLast(({ queryPlans }) => queryPlans.length > 0)?.queryPlans ?? []);

const differs = (a: CellFacts, b: CellFacts): boolean => {
  const occurrences = [...lastOf(a), ...lastOf(b)].map((one) => ({ ...one, where: '', rate: null }));
  return changedIn(occurrences) !== undefined;
};

function outcomeOfChange(facts: RunFacts, cell: CellFacts, own: readonly Occurrence[]): CellOutcome {
  const sorted = own.toSorted((a, b) => (b.rate ?? 0) - (a.rate ?? 0));
  const rates = sorted.flatMap(({ rate }) => rate ?? []);
  const lost = rates.length > 1 ? 1 - rates.at(-1)! / rates[0]! : 0;
  const parts = sorted.map(
    ({ plan, where, rate }) =>
      `${nameOf(plan, own)} ${where}${rate === null ? '' : ` (${formatRate(rate, facts.unit)})`}`,
  );
  const [{ statement }] = own as readonly [Occurrence];
  const title = statement === null ? 'the operation' : `“${statement}”`;
  return shown({
    claim: `${cell.name}: ${title} had ${own.length} plans: ${parts.join('; ')}.`,
    confidence: 'certain',
    explains: lost,
    evidence: [
      number('Plans of the statement', own.length, 'query-plans'),
      rates.length > 1 && share('Throughput lost with the slower plan', lost, 'throughput-over-time'),
    ],
    advice: `Find out why the server chose another plan: statistics of another moment, values that select another share of the rows, added rows, or a cached plan of earlier calls.${lost > 0 ? ` The throughputs differ by ${formatPercent(lost)}, so the comparison is also one of two plans.` : ''}`,
    confirm: confirmWith(
      facts,
      cell,
      { title: 'Does the plan change again?', question: `How often does the plan of ${title} change?` },
      [],
    ),
    picture: planPicture(
      title,
      sorted.map(({ plan, where }) => ({ label: where, plan })),
    ),
  });
}

/** "Seq Scan on orders": the first step in which this plan differs from the others. */
function nameOf(plan: QueryPlan, all: readonly Occurrence[]): string {
  const lines = planShape(plan).split('\n');
  const others = all.filter((one) => one.plan !== plan).map((one) => new Set(planShape(one.plan).split('\n')));
  const own = plan.steps.filter((_, i) => others.some((lineSet) => !lineSet.has(lines[i]!)));
  const candidates = own.length > 0 ? own : plan.steps;
  const step = candidates.find(({ table, index }) => table !== null || index !== null) ?? candidates[0];
  if (step === undefined) return 'no step';
  const object = [step.table, step.index].filter((name) => name !== null).join(', ');
  return `“${step.operator}”${object === '' ? '' : ` on ${object}`}`;
}
