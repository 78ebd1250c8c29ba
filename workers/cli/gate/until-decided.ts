import type { GateResult } from '#analysis/gate/gate-result.ts';
import { placeInSize } from '#experiment/schema/sizes.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import { DynoError } from '#model/error.ts';
import type { RoundJudge } from '#orchestrator/run/run-scheduler.ts';
import { repeatsOf } from '#planning/repeats.ts';
import type { Home } from '#platform/paths.ts';
import type { Plan } from '#protocol/plan.ts';
import { type ParsedFile, parseFile } from '#rules/parsed-file.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { budgetSecondsOf, usualBudget, wrongBudget } from '../budget.ts';
import { text, type Values } from '../command.ts';
import type { Gate } from './judge-run.ts';

/** The options of commands whose run may go on until its gate is decided. */
export const untilDecidedOptions = {
  'until-decided': {
    type: 'boolean',
    about:
      'With --fail-on: runs further rounds until the gate is decided, or more of them would not decide it. If the baseline’s run has other targets, Dyno then measures both versions in turn.',
  },
  budget: {
    type: 'string',
    about: `The time after which no round of --until-decided begins: 90s, 20m or 2h. Default: ${usualBudget}.`,
  },
} as const;

/** The time by `performance.now()` at which no other round begins; null without `--until-decided`. */
export function untilDecided(values: Values, gate: unknown): number | null {
  if (values['until-decided'] !== true) {
    if (text(values, 'budget') === undefined) return null;
    throw new DynoError('badInput', '--budget is the time of --until-decided, which is not given.');
  }
  if (gate === null) throw new DynoError('badInput', '--until-decided needs a condition.', { hint: 'Add --fail-on.' });
  const seconds = budgetSecondsOf(text(values, 'budget') ?? usualBudget);
  if (seconds === null) throw new DynoError('badInput', wrongBudget);
  return performance.now() + seconds * 1_000;
}

/** The most repeats of a run that goes on until its gate is decided. */
const mostRepeats = 100;

/**
 * The experiment with so many repeats that its gate may decide when it ends. Throws 'badInput' for a search, whose
 * rounds are steps.
 */
export function withOpenEnd(file: ParsedFile): ParsedFile {
  const { measure } = file.experiment ?? {};
  if (measure?.search !== undefined)
    throw new DynoError('badInput', 'A search ends by itself: --until-decided cannot add rounds to it.');
  const place = (...keys: readonly string[]) => placeInSize(file.value, ['measure', ...keys]);
  // The precision and the time limit of the file belong to its own number of repeats.
  const removed = [
    ...(typeof measure?.repeats === 'object' ? [place('until', 'precision')] : []),
    ...(measure?.budgetSeconds === undefined ? [] : [place('budgetSeconds')]),
  ];
  const plain = removed.reduce<YamlSource>((edited, path) => setIn(edited, path, undefined), file);
  return parseFile(setIn(plain, place('repeats'), mostRepeats));
}

/** A single repeat has no interval. */
export const fewestRounds = 2;

/** The repeats that the experiment asks for, after which its gate is judged for the first time. */
export const leastRounds = ({ measure }: Pick<Plan, 'measure'>): number =>
  Math.max(fewestRounds, repeatsOf(measure).min);

/** The scatter of fewer repeats does not show that more of them would be in vain. */
const leastToGiveUp = 5;

interface Rounds {
  readonly home: Home;
  readonly gate: Pick<Gate, 'judge'>;
  /** The first round after which the gate is judged. */
  readonly least: number;
  readonly untilMs: number;
  /** The file of the run, which exists when the first round is done. */
  readonly file: () => string;
}

/** Judges a run after each round, until its gate is decided, or more rounds would not decide it in time. */
export function judgeOfRounds({ home, gate, least, untilMs, file }: Rounds): RoundJudge {
  const startedMs = performance.now();
  // A resumed run has rounds from before.
  let rounds = 0;
  return async (round) => {
    rounds++;
    if (round < least) return null;
    const result = await gate.judge(await loadRun(home, file()));
    if (result.outcome !== 'undecided') return 'answered';
    const nextEndsMs = performance.now() + (performance.now() - startedMs) / rounds;
    if (round >= leastToGiveUp && isInVain(result)) return 'answered';
    return nextEndsMs > untilMs ? 'timeUsed' : null;
  };
}

/** True if no further repeats are expected to decide an undecided cell. */
const isInVain = ({ conditions }: GateResult): boolean =>
  conditions.every(({ cells }) =>
    cells.every(({ outcome, repeatsNeeded }) => outcome !== 'undecided' || repeatsNeeded === null),
  );
