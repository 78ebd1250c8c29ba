import {
  conditionForms,
  formatCondition,
  type GateCondition,
  needsBaseline,
  parseCondition,
} from '#analysis/gate/conditions.ts';
import type { GateOutcome } from '#analysis/gate/gate-result.ts';
import { DynoError } from '#model/error.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { oneLine } from '#model/text/printable.ts';
import { experimentsOf } from '#planning/variant-of.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Plan } from '#protocol/plan.ts';
import { text, texts, type Values } from '../command.ts';
import { runWordsHelp } from '../find-run.ts';

/** The option of commands that judge a run by conditions. */
export const failOnOption = {
  'fail-on': {
    type: 'string',
    multiple: true,
    about: `Judges by this condition (repeatable): ${conditionForms}. The command ends with 11 if one fails, and with 12 if one is undecided (docs/ci.md).`,
  },
} as const;

/** The options of commands that judge the run that they make. */
export const gateOptions = {
  baseline: {
    type: 'string',
    about: `The run that conditions compare with: ${runWordsHelp}; “last” is the last complete run of this experiment before this one. “target:NAME”: a target of this run, which measures both in turn.`,
  },
  ...failOnOption,
} as const;

/** The words of `--baseline` that name a target of the run itself begin with this. */
const ownTarget = 'target:';

/** The baseline that a command line names: the word for a run, or a target of the judged run. */
type BaselineWord = { readonly run: string } | { readonly target: string };

/** A gate as a command line describes it. */
export interface AskedGate {
  readonly conditions: readonly GateCondition[];
  /** Null: no condition needs one, and none was given. */
  readonly baseline: BaselineWord | null;
}

/**
 * Reads the options of a gate; null without `--fail-on`. Throws 'badInput' for a condition that the plan cannot meet,
 * before anything runs. `baseline`: given by the command itself, instead of the option.
 */
export function askedGate(values: Values, plan: Plan, baseline?: string): AskedGate | null {
  const written = texts(values, 'fail-on');
  const word = baseline ?? text(values, 'baseline');
  if (written.length === 0) {
    if (baseline === undefined && word !== undefined)
      throw new DynoError('badInput', '--baseline needs a condition that compares with it.', {
        hint: 'Add --fail-on "slower 5%".',
      });
    return null;
  }
  // A condition that is given twice is one comparison, and one test case.
  const conditions = [...new Map(written.map(parseCondition).map((one) => [formatCondition(one), one])).values()];
  for (const condition of conditions) requirePossible(condition, plan);
  if (word === undefined && conditions.some(needsBaseline))
    throw new DynoError('badInput', 'A condition compares with a baseline, and none is given.', {
      hint: 'Add --baseline last, or --baseline with a run, a tag, “baseline” or “target:NAME”.',
    });
  return { conditions, baseline: word === undefined ? null : baselineWord(word, plan) };
}

function baselineWord(word: string, plan: Plan): BaselineWord {
  if (!word.startsWith(ownTarget)) return { run: word };
  const name = word.slice(ownTarget.length);
  const names = plan.targets.map((target) => target.name);
  if (!names.includes(name))
    throw new DynoError('badInput', `The experiment has no target “${oneLine(name)}”.`, {
      hint: didYouMean(name, names) ?? `Its targets are ${names.join(', ')}.`,
    });
  if (names.length === 1)
    throw new DynoError('badInput', `The target ${name} is alone: nothing is compared with it.`, {
      hint: 'Add the version to judge to the targets of the experiment.',
    });
  return { target: name };
}

/** Throws 'badInput' if the experiment lacks what the condition is about. */
function requirePossible(condition: GateCondition, plan: Plan): void {
  if (condition.kind === 'goal' && plan.experiment.goals === undefined)
    throw new DynoError('badInput', 'The experiment has no goals, which the condition “goal” judges.');
  if (condition.kind !== 'time' || condition.work === null) return;
  const files = [plan.experiment, ...experimentsOf(plan)];
  const names = files.flatMap(({ statements, transactions, scenarios }) =>
    [statements, transactions, scenarios].flatMap((section) => Object.keys(section ?? {})),
  );
  if (names.includes(condition.work)) return;
  throw new DynoError('badInput', `The experiment has no statement “${oneLine(condition.work)}”.`, {
    hint: didYouMean(condition.work, new Set(names)),
  });
}

/**
 * The exit code of a command with a gate. A run that was not made as planned keeps its own code, except that a failed
 * gate says more than failed trials do. An undecided gate does not: jobs let it pass, and trials that failed because
 * the server ended must not pass with it.
 */
export function gateExitCode(outcome: GateOutcome, ofRun: number): number {
  if (outcome === 'failed' && ofRun === exitCodes.someTrialsFailed) return exitCodes.gateFailed;
  return ofRun === exitCodes.ok ? codes[outcome] : ofRun;
}

const codes: Readonly<Record<GateOutcome, number>> = {
  passed: exitCodes.ok,
  failed: exitCodes.gateFailed,
  undecided: exitCodes.gateUndecided,
};
