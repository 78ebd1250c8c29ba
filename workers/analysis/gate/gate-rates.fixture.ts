import { Sfc32 } from '#stats/random/random.ts';
import { parseCondition } from './conditions.ts';
import { judgeGate } from './judge-gate.ts';
import { type MadeHistory, madeHistory } from './made-history.fixture.ts';

/** The rates of a gate's outcomes over made-up histories, for tests only. */

interface Rates {
  readonly failed: number;
  readonly passed: number;
}

/** The share of gates with each outcome: one condition, `slower 5%`, in all cells. */
export function gateRates(seed: number, histories: number, made: MadeHistory): Rates {
  const random = new Sfc32(seed);
  const conditions = [parseCondition('slower 5%')];
  const count = { failed: 0, passed: 0, undecided: 0 };
  for (let i = 0; i < histories; i++) {
    const { run, baseline } = madeHistory(random, made);
    count[judgeGate(run, baseline, conditions).outcome]++;
  }
  return { failed: count.failed / histories, passed: count.passed / histories };
}

/**
 * The same where further repeats follow until the gate is decided, or 30 repeats are done: one run measures both sides
 * in turn, and each round is judged.
 */
export function ratesUntilDecided(
  seed: number,
  histories: number,
  made: MadeHistory,
): Rates & { readonly repeats: number } {
  const random = new Sfc32(seed);
  const conditions = [parseCondition('slower 5%')];
  const count = { failed: 0, passed: 0, undecided: 0 };
  let repeats = 0;
  const most = 30;
  for (let i = 0; i < histories; i++) {
    const { run, baseline } = madeHistory(random, { ...made, repeats: most, earlier: null });
    const outcomeAfter = (round: number) => {
      const trials = [...Map.groupBy(run.trials, ({ trial }) => `${trial.variant} ${trial.target}`).values()];
      const part = { ...run, trials: trials.flatMap((own) => own.slice(0, round)) };
      return judgeGate(part, { ...baseline, run: part }, conditions).outcome;
    };
    let round = made.repeats;
    while (round < most && outcomeAfter(round) === 'undecided') round++;
    repeats += round;
    count[outcomeAfter(round)]++;
  }
  return { failed: count.failed / histories, passed: count.passed / histories, repeats: repeats / histories };
}
