import { mostSlower } from '#analysis/advise/verdict.ts';
import {
  formatBytes,
  formatChange,
  formatChangeBounds,
  formatCount,
  formatMs,
  formatUpTo,
} from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import type { Advice, AdviceEffect, JudgedAdvice, TimeRatio } from '#protocol/advice.ts';

export const adviceVerdicts: Readonly<Record<JudgedAdvice['verdict'], string>> = {
  recommended: 'recommended',
  observed: 'faster, answers not compared',
  notRecommended: 'not recommended',
  notShown: 'no gain shown',
  notTried: 'not measured',
  outOfBudget: 'not measured, because the budget did not suffice',
};

/** True if trials of the candidate were compared with those without it. */
export const isMeasured = ({ verdict }: JudgedAdvice): boolean => verdict !== 'notTried' && verdict !== 'outOfBudget';

/** True if the user may carry the advice out. */
export const isOffered = ({ verdict }: JudgedAdvice): boolean => verdict === 'recommended' || verdict === 'observed';

/** "12.3× faster (11.8–12.9×)", or slower. The bounds hold for all claims of the run together. */
export function timeRatioText({ value, low, high }: TimeRatio): string {
  const verdict = value > 1 ? 'slower' : 'faster';
  const longer = value > 1 ? { value, low, high } : { value: 1 / value, low: 1 / high, high: 1 / low };
  return `${formatChange(longer, verdict, verdict)}${formatChangeBounds(longer)}`;
}

/** The answer of an advice as a sentence. */
export function adviceAnswer({ advice, usedSeconds }: Advice, target: string): string {
  const good = advice.filter(({ verdict, insteadOf }) => verdict === 'recommended' && insteadOf === null);
  const [best] = good;
  const late = advice.filter(({ verdict }) => verdict === 'outOfBudget').length;
  const measured = `${many(advice.filter(isMeasured).length, 'candidate')} measured in ${formatMs(usedSeconds * 1_000)}`;
  const effort = late === 0 ? measured : `${measured} (the budget did not suffice for ${formatCount(late)} more)`;
  const observed = advice.find(({ verdict }) => verdict === 'observed');
  if (best === undefined && observed !== undefined)
    return `On ${target}, “${observed.candidate.title}” is certainly faster, but its answers were not compared: ${effort}.`;
  if (best === undefined)
    return advice.length === 0
      ? `Dyno found nothing to try on ${target}.`
      : `No change is recommended on ${target}: ${effort}, and none is certainly better.`;
  const more = good.length > 1 ? `, and ${many(good.length - 1, 'further change')}` : '';
  return `On ${target}, “${best.candidate.title}” is recommended${more}: ${effort}.`;
}

/** The terms on which a candidate is recommended. */
export const adviceTerms = ({ repeats }: Advice): string =>
  `The intervals hold together with 95 % (${many(repeats, 'repeat')}, interleaved). Recommended is what makes a statement and the whole mix certainly faster, makes no read certainly slower by more than ${formatUpTo(mostSlower.read * 100)}\u00a0%, and no write by more than ${formatUpTo(mostSlower.write * 100)}\u00a0%.`;

export const insteadText = (other: string): string =>
  `It was measured without “${other}”, which is about as good or better: carry out one, and ask again.`;

/** The size and the time to build of the indexes of a candidate: "indexes larger by 1.2 MiB". */
export const indexTexts = ({ bytes, buildMs }: JudgedAdvice): readonly string[] => [
  ...(bytes === null || bytes === 0
    ? []
    : [`indexes ${bytes < 0 ? 'smaller' : 'larger'} by ${formatBytes(Math.abs(bytes))}`]),
  ...(buildMs === null ? [] : [`built in ${formatMs(buildMs)}`]),
];

const kinds: Readonly<Record<AdviceEffect['kind'], string>> = {
  read: '',
  write: ' (write)',
  probe: ' (inserts of Dyno, because no statement writes there)',
};

/** "sell (write), median". */
export const effectName = ({ work, kind, figure }: AdviceEffect): string =>
  `${work}${kinds[kind]}, ${formatFigure(figure)}`;
