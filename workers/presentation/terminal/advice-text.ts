import type { AdviceReport } from '#analysis/advise/advice-report.ts';
import type { AdviceEffect, JudgedAdvice, TimeRatio } from '#analysis/advise/judged-advice.ts';
import { mostSlower } from '#analysis/advise/verdict.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { formatBytes, formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { stepText } from '../text/advice-steps.ts';

const verdictWords: Readonly<Record<JudgedAdvice['verdict'], string>> = {
  recommended: 'recommended',
  observed: 'faster, answers not compared',
  notRecommended: 'not recommended',
  notShown: 'no gain shown',
  notTried: 'not measured',
};

/** "12.3 × faster (11.8 to 12.9)", or slower. The bounds hold for all claims of the run together. */
function ratioText({ value, low, high }: TimeRatio): string {
  const isSlower = value > 1;
  const [middle, least, most] = isSlower ? [value, low, high] : [1 / value, 1 / high, 1 / low];
  const bounds = `${formatNumber(least)} to ${formatNumber(most)}`;
  return `${formatNumber(middle)} × ${isSlower ? 'slower' : 'faster'} (${bounds})`;
}

/** The answer of `dyno advise` as a sentence. */
function adviceAnswer({ advice, target, usedSeconds }: AdviceReport): string {
  const good = advice.filter(({ verdict, insteadOf }) => verdict === 'recommended' && insteadOf === null);
  const [best] = good;
  const tried = advice.filter(({ verdict }) => verdict !== 'notTried').length;
  const effort = `${many(tried, 'candidate')} measured in ${formatMs(usedSeconds * 1_000)}`;
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

/** The result of `dyno advise` for a terminal. */
export function adviceText(report: AdviceReport, descriptor: EngineDescriptor): string {
  const { advice, remarks, repeats, budgetSeconds, run, file } = report;
  const measured = advice.filter(({ verdict }) => verdict !== 'notTried');
  const others = advice.filter(({ verdict }) => verdict === 'notTried');
  const limits = `The intervals hold together with 95 % (${many(repeats, 'repeat')}, interleaved). Recommended is what makes a statement and the whole mix certainly faster, makes no read certainly slower by more than ${formatPercent(mostSlower.read)}, and no write by more than ${formatPercent(mostSlower.write)}.`;
  return [
    adviceAnswer(report),
    ...measured.flatMap((one, i) => ['', ...adviceLines(one, i + 1, descriptor)]),
    ...(measured.length === 0 ? [] : ['', limits]),
    ...(others.length === 0
      ? []
      : [
          '',
          `Not measured (budget: ${formatMs(budgetSeconds * 1_000)}):`,
          ...others.map((one) => `  ${one.candidate.title}: ${one.why}`),
        ]),
    ...(remarks.length === 0 ? [] : ['', ...remarks]),
    ...(run === null ? [] : ['', `run: ${run}`, `experiment: ${file}`]),
  ].join('\n');
}

function adviceLines(one: JudgedAdvice, place: number, descriptor: EngineDescriptor): readonly string[] {
  const { candidate, verdict, why, total, effects, bytes, buildMs, insteadOf } = one;
  const size = [
    ...(bytes === null || bytes === 0
      ? []
      : [`indexes ${bytes < 0 ? 'smaller' : 'larger'} by ${formatBytes(Math.abs(bytes))}`]),
    ...(buildMs === null ? [] : [`built in ${formatMs(buildMs)}`]),
  ];
  return [
    `${place}. ${candidate.title}: ${verdictWords[verdict]}`,
    `   ${candidate.why} ${why}`,
    ...(insteadOf === null
      ? []
      : [`   It was measured without “${insteadOf}”, which is about as good or better: carry out one, and ask again.`]),
    ...(total === null ? [] : [`   all statements by their weights: ${ratioText(total)}`]),
    ...effects.map((effect) => `   ${effectText(effect)}`),
    ...(size.length === 0 ? [] : [`   ${size.join(', ')}`]),
    ...(verdict === 'recommended' || verdict === 'observed'
      ? candidate.steps.map((step) => `     ${stepText(step, descriptor)};`)
      : []),
  ];
}

const kinds: Readonly<Record<AdviceEffect['kind'], string>> = {
  read: '',
  write: ' (write)',
  probe: ' (inserts of Dyno, because no statement writes there)',
};

const effectText = ({ work, kind, figure, beforeMs, afterMs, ratio }: AdviceEffect): string =>
  `${work}${kinds[kind]}, ${formatFigure(figure)}: ${formatMs(beforeMs)} → ${formatMs(afterMs)}, ${ratioText(ratio)}`;
