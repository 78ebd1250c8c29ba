import { digitsWithin } from '#model/format/format.ts';
import { answeringOtherwise, answersBetween } from '#planning/rates/answers-between.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { rowProblems } from '#planning/rates/row-problems.ts';
import { isTimed, throughputOf } from '#planning/rates/trial-rate.ts';
import { variantText } from '#planning/variant-of.ts';
import { cellOf, keyOf } from '#protocol/cell-key.ts';
import type { RunCell } from '#protocol/ipc.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { positiveMeanInterval } from '#stats/intervals/intervals.ts';

/** The comparable cells of a run by the mean of their repeats, fastest first. */
export function cellsOf(
  plan: Plan,
  targets: readonly TargetRecord[],
  results: readonly TrialResult[],
): readonly RunCell[] {
  const ok = results.filter(
    (result) => result.status === 'ok' && isTimed(result) && isContender({ targets }, result.target),
  );
  const apart = rowProblems({ plan, targets }, results);
  const answers = answersBetween({ plan, targets }, results);
  const cells = Map.groupBy(ok, keyOf);
  const answered = [...cells].map(([key, [one]]) => ({ ...cellOf(one!), otherAnswers: answers.get(key) ?? [] }));
  const otherwise = new Set(answeringOtherwise(answered).map(({ cell }) => keyOf(cell)));
  return [...cells]
    .filter(([key]) => !apart.has(key) && !otherwise.has(key))
    .map(([, own]) => own)
    .map((own): RunCell => {
      const { variant, target, totals } = own[0]!;
      const interval = positiveMeanInterval(own.map(throughputOf))!;
      return {
        label: variantText(plan, variant),
        target,
        index: plan.targets.find(({ name }) => name === target)?.index ?? 0,
        value: interval.value,
        digits: digitsWithin(interval),
        unit: totals.rows > 0 ? 'rows/s' : 'calls/s',
      };
    })
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value);
}
