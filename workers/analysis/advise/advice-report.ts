import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { textFor, weightsOf } from '#experiment/statements/statement-mix.ts';
import { allTables } from '#model/dataset/tables.ts';
import { formatNumber } from '#model/format/format.ts';
import { writesOwnTables } from '#model/statements/own-tables.ts';
import { readsOnly } from '#model/statements/reads-only.ts';
import { statementsIn } from '#model/statements/steps.ts';
import { planOf } from '#planning/variant-of.ts';
import type { Advice } from '#protocol/advice.ts';
import type { Plan, Variant } from '#protocol/plan.ts';
import { repeatedLookUps } from '../findings/statements/repeated-look-ups.ts';
import type { TrialView } from '../run-model/run-model.ts';
import { misestimateOf } from '../server/misestimates.ts';
import type { AdvisedStatement, AdvisedWork } from './candidate.ts';
import { statementShape } from './read-statement.ts';
import { statisticsCandidates } from './statistics-candidates.ts';
import type { WriteProbe } from './write-probe.ts';

/** The result of `dyno advise`. */
export interface AdviceReport extends Advice {
  /** The name of the experiment. */
  readonly experiment: string;
  readonly target: string;
  readonly engine: string;
  /** The file of the run that measured the advice, and keeps it; where nothing was measured, that of the last look. */
  readonly run: string;
  /** The file of the experiment that measured it; null: there was nothing to measure. */
  readonly file: string | null;
}

/** The statements of a variant with their texts and, after a look at them, their plans. */
export function advisedWork(
  plan: Plan,
  variant: Variant,
  target: string,
  descriptor: EngineDescriptor,
  looked: TrialView | null = null,
): AdvisedWork {
  const { experiment } = planOf(plan, variant);
  const plans = looked?.queryPlans ?? [];
  const tables = allTables(experiment);
  const statements = calledIn(experiment).flatMap((name): readonly AdvisedStatement[] => {
    const text = textFor(experiment.statements![name]!.text, { target, engine: descriptor.id });
    if (text === null || descriptor.statements === undefined) return [];
    const asked = plans.find(({ statement }) => statement === name)?.plan ?? null;
    return [{ name, text, shape: statementShape(text, descriptor.statements, tables), plan: asked }];
  });
  return { experiment, descriptor, target, statements };
}

/** The statements that are called by themselves or as steps. */
function calledIn(experiment: Experiment): readonly string[] {
  const { statements = {}, transactions = {} } = experiment;
  const items = [...weightsOf(experiment).keys()];
  const called = items.flatMap((item) => (transactions[item] ? statementsIn(transactions[item].steps) : [item]));
  return [...new Set(called)].filter((name) => Object.hasOwn(statements, name));
}

/** True if a statement or one of a transaction's may write. */
export function writesIn({ experiment, descriptor, statements }: AdvisedWork, item: string): boolean {
  const steps = experiment.transactions?.[item] ? statementsIn(experiment.transactions[item].steps) : [item];
  return statements
    .filter(({ name }) => steps.includes(name))
    .some(({ name, text }) => !isRead(experiment, name, text, descriptor));
}

const isRead = (
  { statements = {} }: Experiment,
  name: string,
  text: string,
  { statements: language }: EngineDescriptor,
): boolean => statements[name]?.isRead ?? (language !== undefined && readsOnly(text, language));

/** The statements that may write to tables of the user's own, which advice does not run again and again. */
export const foreignWrites = ({ experiment, descriptor, statements }: AdvisedWork): readonly string[] =>
  statements
    .filter(
      ({ name, text }) =>
        !isRead(experiment, name, text, descriptor) &&
        !(descriptor.statements && writesOwnTables(text, descriptor.statements)),
    )
    .map(({ name }) => name);

/** The tables to which no write was measured, each as sentences. */
export const probeRemarks = (probes: readonly WriteProbe[]): readonly string[] =>
  probes.flatMap(({ table, whyNot }) =>
    whyNot === null
      ? []
      : [`The cost of indexes to writes to ${table} was not measured: no insert was added. ${whyNot}`],
  );

/** The limits of what was tried, as sentences. */
export function remarksOf(work: AdvisedWork): readonly string[] {
  const { experiment, statements, target, descriptor } = work;
  const textOf = (name: string) => {
    const spec = experiment.statements?.[name];
    return spec ? textFor(spec.text, { target, engine: descriptor.id }) : null;
  };
  const inScenarios = repeatedLookUps(experiment, textOf).filter(({ kind }) => kind === 'scenario');
  const collected = new Set(statisticsCandidates(work).flatMap((one) => one.statements));
  const hasTables = Object.keys(allTables(experiment)).length > 0;
  const unread = statements.filter(({ shape }) => shape === null).map(({ name }) => `“${name}”`);
  const isForeign = ({ text }: AdvisedStatement) => !/\{\w+\}/.test(text);
  const foreign = statements.filter(isForeign).map(({ name }) => `“${name}”`);
  return [
    ...(hasTables && foreign.length === 0
      ? []
      : [
          `${foreign.join(', ')} ${foreign.length === 1 ? 'reads' : 'read'} tables of your own. Dyno makes no index on them: only other texts and settings of the session were tried.`,
        ]),
    ...(unread.length === 0
      ? []
      : [
          `Dyno does not read the conditions of ${unread.join(', ')} (WITH, UNION or a derived table), so no index was tried for it.`,
        ]),
    ...statements.flatMap((statement) => {
      const { name, plan } = statement;
      if (collected.has(name)) return [];
      const [worst] = (plan?.steps ?? [])
        .flatMap((step) => misestimateOf(step) ?? [])
        .toSorted((a, b) => b.factor - a.factor);
      return worst === undefined
        ? []
        : [
            `The optimizer is wrong by a factor of ${formatNumber(worst.factor)} about the rows of a step of “${name}”${isForeign(statement) ? '. New statistics of your tables' : ', although the statistics are new. A larger sample'}, or statistics of several columns, may help; this was not measured.`,
          ];
    }),
    ...inScenarios.map(
      ({ unit, statement, times }) =>
        `The scenario “${unit}” runs “${statement}” ${formatNumber(times)} times, each time for one key (N+1). The file shows this; it was not measured.`,
    ),
  ];
}
