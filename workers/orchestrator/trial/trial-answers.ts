import { optionsFor } from '#engine-api/support/engine-options.ts';
import { drawsOf } from '#experiment/schema/equal.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import { outsideScenarios } from '#experiment/statements/outside-scenarios.ts';
import { mixFor } from '#experiment/statements/statement-mix.ts';
import { withUuidOrder } from '#model/dataset/with-uuid-order.ts';
import { toErrorData } from '#model/error.ts';
import {
  type ComparedStatements,
  comparedStatements,
  sampledStatements,
  statementsOfTargets,
} from '#planning/compared-statements.ts';
import { planOf } from '#planning/variant-of.ts';
import type { ComparedAnswers, GivenAnswers } from '#protocol/measurement.ts';
import { type ComparedStatement, type ComparisonRequest, plansOf, type SampledCalls } from '#protocol/messages.ts';
import type { Plan } from '#protocol/plan.ts';
import { readLists } from './statement-lists.ts';
import { loadedTables, type TrialState, type TrialWork } from './trial-context.ts';
import { trialSeed } from './trial-seed.ts';

/** Time for the comparisons of a trial, ms; a tenth of the trial's time limit at most. */
const mostMs = 5_000;

/**
 * Compares the answers of statements whose text a level changes with those of the baseline's text, on this trial's
 * tables. Only in a cell's first trial, because the tables of the others have the same rows. The baseline is asked
 * twice, so that all cells have had the same calls when their clock starts. Null: nothing is compared. `plan`: the
 * plan of the run, without the changes of this trial's levels.
 */
export async function compareTrialAnswers(
  work: TrialWork,
  state: TrialState,
  plan: Plan,
): Promise<readonly ComparedAnswers[] | null> {
  const { control, variant, trial, signal, clock } = work;
  const { planned, descriptor } = control;
  if (trial.repeat !== 1 || descriptor.reference || !descriptor.statements) return null;
  const choice = { target: planned.name, engine: planned.engine };
  const compared = comparedStatements(plan, variant, choice, descriptor.statements);
  if (compared === null) return null;
  clock.enter('prepare');
  const shown = compared.statements.filter(({ isSameText }) => !isSameText);
  const notChecked = ({ name }: { readonly name: string }, why: string): ComparedAnswers => ({
    statement: name,
    baseline: compared.baseline.id,
    outcome: 'notChecked',
    draws: 0,
    why,
  });
  try {
    const statements = await mixesOf(work, state, plan, compared);
    const asked = statements.filter(haveSameParameters);
    const found = await control.ask(
      {
        call: 'compareAnswers',
        statements: asked,
        ...drawing(work, state, plan, compared.draws),
      },
      signal,
    );
    const answers = shown.map(
      (one) =>
        found.find(({ statement }) => statement === one.name) ??
        notChecked(one, one.whyNot ?? 'its parameters are drawn otherwise than those of the baseline'),
    );
    return answers.length > 0 ? answers : null;
  } catch (thrown) {
    signal.throwIfAborted();
    // The trial has the same error if its own calls cannot be prepared.
    return shown.length > 0 ? shown.map((one) => notChecked(one, toErrorData(thrown).message)) : null;
  }
}

/**
 * The draws of a trial's comparisons, and the options with which its texts are asked. All cells have the same draws.
 */
function drawing(work: TrialWork, state: TrialState, plan: Plan, draws: number): Omit<ComparisonRequest, 'statements'> {
  const { control, variant } = work;
  const { planned, descriptor } = control;
  return {
    tables: loadedTables(work, state),
    settings: variant.settings,
    options: optionsFor(descriptor, variant.settings),
    seed: drawsSeed(plan),
    draws,
    session: sessionSettingsOf(planOf(plan, variant).experiment, planned.engine),
    withinMs: Math.min(mostMs, plan.measure.timeoutSeconds * 100),
  };
}

/** All cells have the same draws. */
const drawsSeed = ({ measure }: Plan): number => trialSeed(measure, { number: 1 });

/**
 * Asks statements whose answers are compared between targets, on this trial's tables, which have the same rows on each
 * target. Only in a cell's first trial. Null: no answer is compared between targets.
 */
export async function giveTrialAnswers(
  work: TrialWork,
  state: TrialState,
  plan: Plan,
): Promise<readonly GivenAnswers[] | null> {
  const { control, variant, trial, files, signal, clock } = work;
  const { planned, descriptor } = control;
  if (trial.repeat !== 1 || descriptor.reference || !descriptor.statements) return null;
  const choice = { target: planned.name, engine: planned.engine };
  const names = statementsOfTargets(plan, variant, choice, descriptor.statements);
  if (names.length === 0) return null;
  clock.enter('prepare');
  const { experiment } = work.plan;
  try {
    const common = drawing(work, state, plan, drawsOf(plan.experiment.equal));
    const context = { control, experiment, choice, files, ...common, tables: plansOf(common.tables), isTry: false };
    const lists = await readLists(context, names, signal);
    const statements = names.flatMap((name) => {
      const own = outsideScenarios(experiment, name);
      const mix = mixFor(own, choice, descriptor.statements!, new Map([[name, 1]]), lists);
      return mix === null ? [] : [{ name, mix }];
    });
    return await control.ask({ call: 'giveAnswers', statements, ...common }, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // The trial has the same error if its own calls cannot be prepared.
    const why = toErrorData(thrown).message;
    return names.map((statement) => ({ statement, draws: [], why }));
  }
}

/**
 * The statements of which calls are sampled while the clock runs, with the same draws in all cells, and those of which
 * no call can be compared, each with the reason.
 */
export function sampledCalls(
  work: TrialWork,
  plan: Plan,
  lists: Parameters<typeof mixFor>[4],
): { readonly sampled: SampledCalls; readonly unsampled: readonly GivenAnswers[] } {
  const { control, variant } = work;
  const { planned, descriptor } = control;
  const choice = { target: planned.name, engine: planned.engine };
  const { statements: language } = descriptor;
  const all = descriptor.reference || !language ? [] : sampledStatements(plan, variant, choice, language);
  const statements = all.flatMap(({ name, whyNot }) => {
    if (whyNot !== null) return [];
    const own = outsideScenarios(work.plan.experiment, name);
    const mix = mixFor(own, choice, language!, new Map([[name, 1]]), lists);
    return mix === null ? [] : [{ name, mix }];
  });
  return {
    sampled: {
      statements,
      isNamed: language?.language !== 'sql',
      seed: drawsSeed(plan),
      draws: drawsOf(plan.experiment.equal),
    },
    unsampled: all.flatMap(({ name, whyNot }) =>
      whyNot === null ? [] : [{ statement: name, draws: [], why: whyNot }],
    ),
  };
}

/** Each statement with its own text and the baseline's text. Both texts use the lists of this trial's experiment. */
async function mixesOf(
  work: TrialWork,
  state: TrialState,
  plan: Plan,
  { baseline, statements }: ComparedStatements,
): Promise<readonly ComparedStatement[]> {
  const { control, files, variant, signal } = work;
  const { planned, descriptor } = control;
  const choice = { target: planned.name, engine: planned.engine };
  const own = work.plan.experiment;
  const before = withUuidOrder(planOf(plan, baseline).experiment, descriptor.uuids.order);
  const options = optionsFor(descriptor, variant.settings);
  const tables = plansOf(loadedTables(work, state));
  const asked = statements.filter(({ whyNot }) => whyNot === null);
  const names = asked.map(({ name }) => name);
  const context = { control, experiment: own, choice, files, tables, options, isTry: false };
  const lists = await readLists(context, names, signal);
  return asked.map(({ name, keepsRows, keepsLists }) => {
    const [ownMix, baselineMix] = [own, before].map((one) =>
      mixFor(outsideScenarios(one, name), choice, descriptor.statements!, new Map([[name, 1]]), lists),
    );
    return { name, baseline: baseline.id, ownMix: ownMix!, baselineMix: baselineMix!, keepsRows, keepsLists };
  });
}

const haveSameParameters = ({ ownMix, baselineMix }: ComparedStatement): boolean =>
  JSON.stringify(ownMix.statements[0]?.own.specs) === JSON.stringify(baselineMix.statements[0]?.own.specs);
