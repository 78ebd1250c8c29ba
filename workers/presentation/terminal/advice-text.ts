import type { AdviceReport } from '#analysis/advise/advice-report.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { formatMs } from '#model/format/format.ts';
import type { Advice, AdviceEffect, JudgedAdvice } from '#protocol/advice.ts';
import { stepText } from '../text/advice-steps.ts';
import {
  adviceAnswer,
  adviceTerms,
  adviceVerdicts,
  effectName,
  indexTexts,
  insteadText,
  isMeasured,
  isOffered,
  timeRatioText,
} from '../text/advice-words.ts';

/** The result of `dyno advise` for a terminal. */
export const adviceText = (report: AdviceReport, descriptor: EngineDescriptor): string =>
  [
    ...keptAdviceLines(report, report.target, descriptor),
    '',
    `run: ${report.run}`,
    ...(report.file === null ? [] : [`experiment: ${report.file}`]),
  ].join('\n');

/** The advice that a run keeps, as lines. */
export function keptAdviceLines(kept: Advice, target: string, descriptor: EngineDescriptor): readonly string[] {
  const { advice, remarks, budgetSeconds } = kept;
  const measured = advice.filter(isMeasured);
  const others = advice.filter((one) => !isMeasured(one));
  return [
    adviceAnswer(kept, target),
    ...measured.flatMap((one, i) => ['', ...adviceLines(one, i + 1, descriptor)]),
    ...(measured.length === 0 ? [] : ['', adviceTerms(kept)]),
    ...(others.length === 0
      ? []
      : [
          '',
          `Not measured (budget: ${formatMs(budgetSeconds * 1_000)}):`,
          ...others.map((one) => `  ${one.candidate.title}: ${one.why}`),
        ]),
    ...(remarks.length === 0 ? [] : ['', ...remarks]),
  ];
}

function adviceLines(one: JudgedAdvice, place: number, descriptor: EngineDescriptor): readonly string[] {
  const { candidate, verdict, why, total, effects, insteadOf } = one;
  const size = indexTexts(one);
  return [
    `${place}. ${candidate.title}: ${adviceVerdicts[verdict]}`,
    `   ${candidate.why} ${why}`,
    ...(insteadOf === null ? [] : [`   ${insteadText(insteadOf)}`]),
    ...(total === null ? [] : [`   all statements by their weights: ${timeRatioText(total)}`]),
    ...effects.map((effect) => `   ${effectText(effect)}`),
    ...(size.length === 0 ? [] : [`   ${size.join(', ')}`]),
    ...(isOffered(one) ? candidate.steps.map((step) => `     ${stepText(step, descriptor)};`) : []),
  ];
}

const effectText = (effect: AdviceEffect): string =>
  `${effectName(effect)}: ${formatMs(effect.beforeMs)} → ${formatMs(effect.afterMs)}, ${timeRatioText(effect.ratio)}`;
