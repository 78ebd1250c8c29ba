import type { Difference } from '#analysis/gap/differences.ts';
import { type Gap, type GapEffect, type GapPart, gapsOf } from '#analysis/gap/explain-gap.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { digitsWithin, formatRatio, formatRatioInterval } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { clause, sentence } from '#model/format/sentence.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';

/** The answer of a run whose file asks for the explanation of a gap. */
interface GapAnswer {
  /** "“Connections: 8” explains 2.9× of the 3.1× (2.7–3.4)". */
  readonly headline: string;
  readonly lead: 'certain' | 'uncertain';
  readonly certainty: string;
  /** "Changed alone, it brings 2.9× (2.6–3.2); taken back, it costs 3.0× (2.7–3.3)." */
  readonly details: readonly string[];
}

/** The first words of an answer that names nothing. */
const cannotTell = 'Cannot tell';

const list = lazyList('en', 'conjunction');
const either = lazyList('en', 'disjunction');

/**
 * The explanation of the gap on the first target, and a sentence for each other target. Null: the file asks for none.
 */
export function gapAnswer(model: RunModel): GapAnswer | null {
  const [first, ...others] = gapsOf(model);
  if (first === undefined) return null;
  const told = gapTexts(first);
  const isSettled = ['one', 'several', 'together', 'either'].includes(first.outcome);
  const among = first.comparisons === 1 ? '' : ` among ${many(first.comparisons, 'comparison')}`;
  return {
    headline: others.length === 0 ? told.headline : placed(first, told.headline),
    lead: isSettled ? 'certain' : 'uncertain',
    certainty: isSettled ? `Certain at 95 %${among}` : uncertainText(first, among),
    details: [
      ...told.details,
      ...others.map((gap) => {
        const { headline, details } = gapTexts(gap);
        return `${placed(gap, headline)}. ${details.join(' ')}`.trim();
      }),
    ],
  };
}

/** "On staging, no single difference explains the 3.1×"; a headline that has no subject gets one. */
const placed = ({ target }: Gap, headline: string): string =>
  `On ${target}, ${headline.startsWith(cannotTell) ? 'the run ' : ''}${clause(headline)}`;

function uncertainText({ outcome, gap }: Gap, among: string): string {
  if (outcome === 'noResult') return 'There is nothing to compare';
  if (gap?.ratio.low == null) return 'Uncertain: too few repeats';
  return outcome === 'noGap' ? 'No gap is certain at 95 %' : `Not certain at 95 %${among}`;
}

/** "“Connections: 8”", "“Connections: 8” and 2 more settings". */
function partName({ differences: [first, ...more] }: Pick<GapPart, 'differences'>): string {
  const name = `“${first?.name ?? ''}”`;
  return more.length === 0 ? name : `${name} with ${many(more.length, 'further difference')}`;
}

const ratioText = ({ ratio }: GapEffect): string => formatRatioInterval(ratio);
const valueText = ({ ratio }: GapEffect): string => formatRatio(ratio.value, digitsWithin(ratio));

function gapTexts(gap: Gap): Pick<GapAnswer, 'headline' | 'details'> {
  const { gap: whole, outcome, guilty } = gap;
  if (whole === null)
    return {
      headline: `${cannotTell} what explains the gap: one of the two variants has no comparable result`,
      details: [],
    };
  const of = ratioText(whole);
  const names = guilty.map(partName);
  const [first] = guilty;
  switch (outcome) {
    case 'noResult':
    case 'noGap':
      return {
        headline: `${cannotTell}: the repeats show no gap between the two variants, ${of}${figureText(gap)}`,
        details: [],
      };
    case 'cannotTell':
      return {
        headline: `${cannotTell} what explains the ${of}${figureText(gap)}`,
        details: [...openText(gap), ...notMeasured(gap)],
      };
    case 'one':
      return {
        headline: `${names[0]} explains ${shareText(first!)}the ${of}${figureText(gap)}`,
        details: [effectsText(gap, first!), ...leftText(first!), ...groupText(first!), ...notMeasured(gap)],
      };
    case 'oneSided':
      return {
        headline: `${cannotTell} if ${names[0]} explains the ${of}${figureText(gap)}`,
        details: [effectsText(gap, first!), ...groupText(first!), ...notMeasured(gap)],
      };
    case 'several':
      return {
        headline: `${list.format(names)} explain the ${of}${figureText(gap)} together, each a part of it`,
        details: [...effectTexts(gap, guilty), ...notMeasured(gap)],
      };
    case 'together':
      return {
        headline: `No single difference explains the ${of}${figureText(gap)}: ${list.format(names)} do together`,
        details: [...effectTexts(gap, guilty), ...notMeasured(gap)],
      };
    case 'either':
      return {
        headline: `Either ${either.format(names)} explains the ${of}${figureText(gap)}`,
        details: [
          ...effectTexts(gap, guilty),
          'Taking one of them back changes nothing that is certain, because the other one is enough.',
          ...notMeasured(gap),
        ],
      };
  }
}

/** " of the p99 of sell"; empty for throughput. */
const figureText = ({ time }: Gap): string =>
  time === null ? '' : ` in the ${formatFigure(time.figure)}${time.work === null ? '' : ` of ${time.work}`}`;

/** "2.9× of "; empty where the part was not measured alone. */
const shareText = ({ alone }: GapPart): string => (alone === null ? '' : `${valueText(alone)} of `);

/** "Changed alone, it brings 2.9× (2.6–3.2); taken back, it costs 3.0× (2.7–3.3)." */
function effectsText({ isGain }: Gap, { alone, back, why }: GapPart): string {
  const [brings, costs] = isGain ? ['brings', 'costs'] : ['costs', 'brings'];
  const open = (one: GapEffect) => (one.isCertain ? '' : ', which is not certain');
  const words = [
    alone === null
      ? `changed alone, it was not measured (${reason(why.alone)})`
      : `changed alone, it ${brings} ${ratioText(alone)}${open(alone)}`,
    back === null
      ? `taken back, it was not measured (${reason(why.back)})`
      : `taken back, it ${costs} ${ratioText(back)}${open(back)}`,
  ].join('; ');
  return `${sentence(words)}.`;
}

/** "“Connections: 8”: changed alone, it brings 2.9× (2.6–3.2); taken back, it costs 3.0× (2.7–3.3)." */
const effectTexts = (gap: Gap, parts: readonly GapPart[]): readonly string[] =>
  parts.map((part) => `${partName(part)}: ${clause(effectsText(gap, part))}`);

/** The effects that are certain although they explain nothing: only taken back, or against the gap. */
function openText(gap: Gap): readonly string[] {
  const certain = gap.parts.filter(({ alone, back }) => alone?.isCertain || back?.isCertain);
  return certain.length === 0
    ? ['No difference has a certain effect, changed alone or taken back.']
    : [...effectTexts(gap, certain), 'These effects leave open what explains the gap.'];
}

const reason = (why: string | null): string => (why ?? 'no result').replace(/\.$/, '');

/** The part of the gap that the part alone does not make, where it is certain. */
function leftText({ left }: GapPart): readonly string[] {
  if (left === null || !left.isCertain) return [];
  return left.ratio.value > 1
    ? [`The other differences make the ${ratioText(left)} that is left.`]
    : [`The other differences work against it: with them, the gap is ${ratioText(left)} of that with it alone.`];
}

/** The next step where a group of differences was changed together. */
function groupText({ differences }: GapPart): readonly string[] {
  return differences.length === 1
    ? []
    : [
        `${many(differences.length, 'difference')} were changed together: explain the gap between the variants without and with them to find the one that counts.`,
      ];
}

/** The parts of which nothing was measured. */
function notMeasured({ parts }: Gap): readonly string[] {
  const none = parts.filter(({ alone, back }) => alone === null && back === null);
  return none.length === 0 ? [] : [`Not measured: ${list.format(none.map(partName))}.`];
}

/** "Rows per call: 100 (before: 1)"; lists and sections have only their name. */
export const differenceText = ({ name, from }: Difference): string =>
  typeof from === 'object' && from !== null ? name : `${name} (before: ${formatPart(from, 'none')})`;

/** The longest text of a value. Texts of statements are longer. */
const longestValue = 60;

/** A setting, or a part of the file, on one line. `none`: the text of a part that a variant lacks. */
export function formatPart(value: unknown, none: string): string {
  if (value === undefined || value === null) return none;
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll(/\s+/g, ' ');
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
