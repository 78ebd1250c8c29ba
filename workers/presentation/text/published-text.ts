import { type PublishedPair, publishedComparisons } from '#analysis/compare/published.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Published, PublishedValue } from '#experiment/schema/published.ts';
import { formatNumber, formatRate, formatRatio, formatRatioInterval } from '#model/format/format.ts';
import { variantText } from '#planning/variant-of.ts';
import { sentences } from './sentences.ts';

/** "published 2011", or "published" if the year is unknown. */
export const publishedName = ({ year }: Pick<Published, 'year'>): string =>
  year === undefined ? 'published' : `published ${year}`;

const boundWords = { atLeast: 'more than ', atMost: 'under ' } as const;

/** "more than 6.00×". A time above a bound is a rate below a bound. */
export function formatPublishedRatio({
  published,
  value,
  ratio,
}: Pick<PublishedPair, 'published' | 'value' | 'ratio'>): string {
  const bound = value.bound;
  if (bound === undefined) return formatRatio(ratio);
  const turned = bound === 'atLeast' ? 'atMost' : 'atLeast';
  return `${boundWords[published.of === 'seconds' ? turned : bound]}${formatRatio(ratio)}`;
}

/** The figure in the unit of the source: "188 s", "5.00k rows/s", "more than 6.00×". */
export function formatPublishedValue({ of }: Pick<Published, 'of'>, { value, bound }: PublishedValue): string {
  const text =
    of === 'seconds'
      ? `${formatNumber(value)}\u00a0s`
      : of === 'rate'
        ? formatRate(value, 'a second')
        : formatRatio(value);
  return `${bound === undefined ? '' : boundWords[bound]}${text}`;
}

/** "one row, prepared · Connections: 4". If the target differs from the compared one, its name is added. */
export function formatPublishedPlace({ plan }: Pick<RunModel, 'plan'>, { cell, baseline }: PublishedPair): string {
  const label = variantText(plan, cell.variant);
  return cell.target === baseline.target ? label : `${label} on ${cell.target}`;
}

/**
 * A sentence about the published value of each source that is farthest from its baseline: "Published 2011 (…): 16.8×
 * from … to …; here on PostgreSQL 39.2× (36.1–42.0)."
 */
export function publishedSentences(model: RunModel): readonly string[] {
  const bySource = Map.groupBy(publishedComparisons(model), ({ published }) => published);
  return [...bySource.values()].flatMap((all) => {
    const farthest = Math.max(...all.map(({ ratio }) => Math.abs(Math.log(ratio))));
    const [first, ...others] = all.filter(({ ratio }) => Math.abs(Math.log(ratio)) === farthest);
    if (first === undefined) return [];
    // The first of several variants with the same published figure represents all. The table has all of them.
    const same = [
      first,
      ...others.filter(({ value, cell }) => value === first.value && cell.variant === first.cell.variant),
    ];
    const { published, value, from } = first;
    const [hereFrom, hereTo] = [variantText(model.plan, first.baseline.variant), formatPublishedPlace(model, first)];
    const [thereFrom, thereTo] = [from ?? hereFrom, value.label ?? hereTo];
    const differs = thereFrom !== hereFrom || thereTo !== hereTo ? `, from ${hereFrom} to ${hereTo},` : '';
    const name = publishedName(published).replace('p', 'P');
    const here = same.map((one) => `on ${one.baseline.target} ${formatRatioInterval(one.here)}`).join(', ');
    return [
      `${name} (${published.source}): ${formatPublishedRatio(first)} from ${thereFrom} to ${thereTo}; here${differs} ${here}.`,
    ];
  });
}

/** Explains the dashed marks of a chart. Empty without dashed marks. */
export function publishedChartText(pairs: readonly Pick<PublishedPair, 'published'>[]): string {
  const names = [...new Set(pairs.map(({ published }) => `${publishedName(published)}, other hardware`))];
  return names.length === 0
    ? ''
    : `Dashed marks show ${names.join('; ')}: the published ratio to the same baseline variant, applied to its value here.`;
}

/** Describes a source: "SQL Server 2008 R2, in a bet against MongoDB, 2011. 4-core desktop. Means of three runs…" */
export const sourceText = ({ source, year, hardware, note }: Published): string =>
  sentences(`${source}${year === undefined ? '' : `, ${year}`}.`, hardware ? `${hardware}.` : '', note ?? '');
