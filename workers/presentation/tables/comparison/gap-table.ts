import { type Gap, type GapEffect, type GapPart, gapsOf } from '#analysis/gap/explain-gap.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { dash, formatRatioInterval } from '#model/format/format.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { formatPart } from '../../text/gap-text.ts';
import { heads, type NotedTable, type PanelCell, targets, words } from '../shared/panel-table.ts';
import { ratioRange } from '../shared/ratio-range.ts';

/** Each difference between the two variants of a gap, with its effects. Empty: the file asks for no explanation. */
export function gapTable(model: RunModel): NotedTable {
  const gaps = gapsOf(model);
  const all = gaps.flatMap(({ parts }) =>
    parts.flatMap(({ alone, back }) => [alone, back].flatMap((one) => one ?? [])),
  );
  const range = ratioRange(all.map(({ ratio }) => ratio));
  const cell = (effect: GapEffect | null, why: string | null): PanelCell =>
    effect === null
      ? (why ?? '')
      : {
          text: `${formatRatioInterval(effect.ratio)}${effect.isCertain ? '' : ', not certain'}`,
          mark: { ratio: effect.ratio, range, differs: effect.isCertain },
        };
  return {
    note: note(gaps),
    columns: [
      ...heads('Difference'),
      ...(gaps.length > 1 ? targets('Target') : []),
      ...words('From', 'To', 'Changed alone', 'Taken back'),
    ],
    rows: gaps.flatMap(({ target, parts, guilty }) =>
      parts.map((part) => ({
        cells: [
          { text: part.differences.map(({ name }) => name), tone: guilty.includes(part) ? 'differs' : undefined },
          ...(gaps.length > 1 ? [target] : []),
          { text: valuesOf(part, 'from') },
          { text: valuesOf(part, 'to') },
          cell(part.alone, part.why.alone),
          cell(part.back, part.why.back),
        ],
      })),
    ),
  };
}

const list = lazyList('en', 'conjunction');

/** Says where the ratios are of speed, because the second variant is the faster one there, and where of loss. */
function note(gaps: readonly Gap[]): string {
  const { true: gains = [], false: losses = [] } = Object.groupBy(
    gaps.filter(({ gap }) => gap !== null),
    ({ isGain }) => `${isGain}` as const,
  );
  const names = (some: readonly Gap[]) => list.format(some.map(({ target }) => target));
  const isMixed = gains.length > 0 && losses.length > 0;
  const direction = isMixed
    ? `The second variant was the faster one on ${names(gains)}, where the ratios are those of speed, and the slower one on ${names(losses)}, where they are those of loss. `
    : '';
  const what = isMixed ? 'the ratio' : losses.length > 0 ? 'the loss' : 'the speed';
  return `${direction}Changed alone: ${what} of the first variant with this difference, against the first variant. Taken back: that of the second variant, against the second variant without the difference. Each interval holds for its own comparison with 95 %; “not certain” is judged for all comparisons together.`;
}

const valuesOf = ({ differences }: GapPart, side: 'from' | 'to'): readonly string[] =>
  differences.map((one) => formatPart(one[side], dash));
