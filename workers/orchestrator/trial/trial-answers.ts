import { optionsFor } from '#engine-api/support/engine-options.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import { outsideScenarios } from '#experiment/statements/outside-scenarios.ts';
import { mixFor } from '#experiment/statements/statement-mix.ts';
import { withUuidOrder } from '#model/dataset/with-uuid-order.ts';
import { toErrorData } from '#model/error.ts';
import { type ComparedStatements, comparedStatements } from '#planning/compared-statements.ts';
import { planOf } from '#planning/variant-of.ts';
import type { ComparedAnswers } from '#protocol/measurement.ts';
import { type ComparedStatement, plansOf } from '#protocol/messages.ts';
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
        tables: loadedTables(work, state),
        settings: variant.settings,
        options: optionsFor(descriptor, variant.settings),
        // All cells have the same draws.
        seed: trialSeed(plan.measure, { number: 1 }),
        draws: compared.draws,
        session: sessionSettingsOf(planOf(plan, variant).experiment, planned.engine),
        withinMs: Math.min(mostMs, plan.measure.timeoutSeconds * 100),
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

/** The statements with both texts. Both have the lists of this trial's experiment. */
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
  return asked.map(({ name, keepsRows }) => {
    const [ownMix, baselineMix] = [own, before].map((one) =>
      mixFor(outsideScenarios(one, name), choice, descriptor.statements!, new Map([[name, 1]]), lists),
    );
    return { name, baseline: baseline.id, ownMix: ownMix!, baselineMix: baselineMix!, keepsRows };
  });
}

const haveSameParameters = ({ ownMix, baselineMix }: ComparedStatement): boolean =>
  JSON.stringify(ownMix.statements[0]?.own.specs) === JSON.stringify(baselineMix.statements[0]?.own.specs);
