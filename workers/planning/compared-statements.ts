import { changedTextDraws, drawsOf, keepsUsersRows } from '#experiment/schema/equal.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { type TextChoice, textFor, weightsOf } from '#experiment/statements/statement-mix.ts';
import { readsOwnTables } from '#model/statements/own-tables.ts';
import { readsOnly } from '#model/statements/reads-only.ts';
import { leavesAnswersOf } from '#model/statements/row-meaning.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { scopesAround, statementsIn } from '#model/statements/steps.ts';
import type { Plan, Variant } from '#protocol/plan.ts';
import { baselineOf } from './rates/baseline.ts';
import { statementMeaning } from './statement-meaning.ts';
import { planOf } from './variant-of.ts';

/** The statements of a variant whose answers have to be those of a baseline. */
export interface ComparedStatements {
  readonly baseline: Variant;
  readonly draws: number;
  readonly statements: readonly {
    readonly name: string;
    /** The variant has the baseline's own text: its answers show nothing. */
    readonly isSameText: boolean;
    /** Rows may be kept: both texts read Dyno's own tables alone, or the file wants rows of the user's tables. */
    readonly keepsRows: boolean;
    /** The file wants the values of parameters that come from files and queries. */
    readonly keepsLists: boolean;
    /** The reason, as a clause, why the statement is not asked for its answers; null: it is asked. */
    readonly whyNot: string | null;
  }[];
}

/**
 * The statements of a variant whose texts differ between the variants of a target, and the variant with which their
 * answers are compared there; null: there is no such variant, or the file wants no comparison.
 */
export function comparedStatements(
  plan: Plan,
  variant: Variant,
  choice: TextChoice,
  language: StatementLanguage,
): ComparedStatements | null {
  const draws = drawsOf(plan.experiment.equal, changedTextDraws);
  if (draws === 0 || variant.settings.operation !== 'statement') return null;
  const here = new Set(plan.trials.flatMap((trial) => (trial.target === choice.target ? [trial.variant] : [])));
  const variants = plan.variants.filter(({ id, settings }) => here.has(id) && settings.operation === 'statement');
  const usual = baselineOf({ plan, targets: [] }, 'levels').variant;
  const baseline = variants.find(({ id }) => id === usual) ?? variants[0];
  if (baseline === undefined) return null;
  const experimentFor = (of: Variant) => planOf(plan, of).experiment;
  const experiments = new Set(variants.map(experimentFor));
  const textIn = ({ statements = {} }: Experiment, name: string): string | null => {
    const spec = statements[name];
    return spec ? textFor(spec.text, choice) : null;
  };
  const own = experimentFor(variant);
  const before = experimentFor(baseline);
  const statements = calledIn(own).flatMap((name) => {
    const text = textIn(own, name);
    const old = textIn(before, name);
    if (text === null || old === null) return [];
    if ([...experiments].every((other) => textIn(other, name) === old)) return [];
    const reads = [own, before].every(
      (one) => one.statements?.[name]?.isRead !== false && readsOnly(textIn(one, name) ?? '', language),
    );
    const keepsLists = keepsUsersRows(plan.experiment.equal);
    const keepsRows = reads && (keepsLists || [text, old].every((one) => readsOwnTables(one, language)));
    const whyNot = reads ? null : 'only texts that only read are compared, and this one may write';
    return [{ name, isSameText: text === old, keepsRows, keepsLists, whyNot }];
  });
  return statements.length === 0 ? null : { baseline, draws, statements };
}

/**
 * The statements of a variant whose answers are compared between targets: their texts on this target read Dyno's own
 * tables alone, whose rows are the same everywhere. Empty where one target alone runs statements.
 */
export function statementsOfTargets(
  plan: Plan,
  variant: Variant,
  choice: TextChoice,
  language: StatementLanguage,
): readonly string[] {
  if (drawsOf(plan.experiment.equal) === 0 || variant.settings.operation !== 'statement') return [];
  const running = new Set(
    plan.variants.filter(({ settings }) => settings.operation === 'statement').map(({ id }) => id),
  );
  const targets = new Set(plan.trials.flatMap((trial) => (running.has(trial.variant) ? [trial.target] : [])));
  if (targets.size < 2) return [];
  const { experiment } = planOf(plan, variant);
  return calledIn(experiment).filter((name) => {
    const { text, isRead } = experiment.statements![name]!;
    const own = textFor(text, choice);
    return own !== null && isRead !== false && readsOnly(own, language) && readsOwnTables(own, language);
  });
}

/** A statement of which calls are sampled while the clock runs. */
interface SampledStatement {
  readonly name: string;
  /** The reason, as a clause, why no call of it can be compared; null: its calls are sampled. */
  readonly whyNot: string | null;
}

/**
 * The statements of a variant whose answers are compared before the clock, and so also while it runs. Trials have
 * tables of their own, so that only statements of Dyno's own tables can be compared, and only where no call of the
 * trial changes what others find. A step of a transaction then finds the same rows as a call by itself, at any
 * isolation level.
 */
export function sampledStatements(
  plan: Plan,
  variant: Variant,
  choice: TextChoice,
  language: StatementLanguage,
): readonly SampledStatement[] {
  const { experiment } = planOf(plan, variant);
  const { statements = {} } = experiment;
  const changed = comparedStatements(plan, variant, choice, language)?.statements ?? [];
  const names = new Set([
    ...changed.flatMap(({ name, whyNot }) => (whyNot === null ? [name] : [])),
    ...statementsOfTargets(plan, variant, choice, language),
  ]);
  const meanings = calledIn(experiment).map((name) => statementMeaning(statements[name]!, choice, language));
  const alone = weightsOf(experiment);
  const called = Object.entries(experiment.transactions ?? {}).filter(([transaction]) => alone.has(transaction));
  // A draw has no values from answers, and its own answer would reach later steps.
  const passesValues = (name: string) =>
    called
      .filter(([, { steps }]) => statementsIn(steps).includes(name))
      .every(([transaction, spec]) =>
        scopesAround(name, transaction, spec).some(({ parameters }) =>
          Object.values(parameters).some(({ type }) => type === 'captured'),
        ),
      );
  const whyNot = (name: string): string | null => {
    const spec = statements[name]!;
    const meaning = statementMeaning(spec, choice, language);
    if (!readsOwnTables(textFor(spec.text, choice) ?? '', language))
      return 'it reads other tables than Dyno’s own, whose rows may change between the trials';
    if (meaning === null || meanings.some((other) => other !== null && !leavesAnswersOf(other, meaning)))
      return 'the run changes rows of its tables while it measures';
    if (!alone.has(name) && passesValues(name)) return 'steps of its transaction take values from others';
    return plan.measure.until === 'calls' ? 'calls are measured one by one' : null;
  };
  return [...names].map((name) => ({ name, whyNot: whyNot(name) }));
}

/** The statements that are called by themselves or as steps. */
function calledIn(experiment: Experiment): readonly string[] {
  const { statements = {}, transactions = {} } = experiment;
  const items = [...weightsOf(experiment).keys()];
  const called = items.flatMap((item) => (transactions[item] ? statementsIn(transactions[item].steps) : [item]));
  return [...new Set(called)].filter((name) => Object.hasOwn(statements, name));
}
