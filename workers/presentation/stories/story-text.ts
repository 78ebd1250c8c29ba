import { formatRatio } from '#model/format/format.ts';
import type { ThumbnailFigures } from '../charts/thumbnail-figures.ts';
import type { Claim, Item, ItemMark, KeptFigures, Press, Story } from './story.ts';

/** The figures behind the picture of an experiment's card; null if none are kept. */
export type FiguresOf = (experiment: string) => ThumbnailFigures | null;

/** A ratio of two values of one series. */
interface KeptRatio {
  readonly target: string;
  /** The speed at `to` as a multiple of the speed at `from`. */
  readonly ratio: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The values of a series at a label, or in the first or last fifth of a timeline. */
function valuesAt(figures: ThumbnailFigures, series: ThumbnailFigures['series'][number], place: string) {
  const known = series.values.flatMap((value) => value ?? []);
  const fifth = Math.max(1, Math.floor(known.length / 5));
  if (place === 'start') return known.slice(0, fifth);
  if (place === 'end') return known.slice(-fifth);
  const label = figures.axis.labels.find(({ text }) => text === place);
  if (label === undefined) return [];
  return series.values.filter((value, i) => value !== null && Math.abs(series.at[i]! - label.at) < 0.001) as number[];
}

/** The ratios that the figures of a card have for two of its places, one for each series with both. */
export function keptRatios(kept: KeptFigures, figures: ThumbnailFigures): readonly KeptRatio[] {
  return figures.series.flatMap((series): KeptRatio[] => {
    const [from, to] = [valuesAt(figures, series, kept.from), valuesAt(figures, series, kept.to)];
    if (from.length === 0 || to.length === 0) return [];
    const ratio = mean(to) / mean(from);
    return [{ target: series.target, ratio: figures.values === 'times' ? 1 / ratio : ratio }];
  });
}

/** Ratios this near to 1 are about equal: the figures have no interval. */
const nearlyEqual = 1.1;

/** The direction of measured ratios against the published one. */
function directionText(isFaster: boolean, ratios: readonly KeptRatio[]): string {
  const clear = ratios.filter(({ ratio }) => ratio > nearlyEqual || ratio < 1 / nearlyEqual);
  const same = clear.filter(({ ratio }) => ratio > 1 === isFaster);
  if (clear.length === 0) return 'about equal';
  if (same.length === ratios.length) return 'same direction';
  return same.length === 0 ? 'opposite direction' : 'same direction in part';
}

/** "PostgreSQL 1.73×, MariaDB 1.61×: same direction". */
function keptText({ kept, isFaster }: Claim, figuresOf: FiguresOf): string {
  const figures = kept && figuresOf(kept.experiment);
  if (kept === null || figures === null) return 'no figures';
  const ratios = keptRatios(kept, figures);
  const texts = ratios.map(({ target, ratio }) => `${target} ${formatRatio(ratio)}`).join(', ');
  return isFaster === null ? texts : `${texts}: ${directionText(isFaster, ratios)}`;
}

const linkTo = (experiment: string): string => `[${experiment}](../../experiments/${experiment}.dyno.yaml)`;

/** "typed-null, size *published*, with `factors.connections=[1, 2]`". */
const pressText = ({ experiment, size, set = [] }: Press): string =>
  [
    linkTo(experiment),
    ...(size === undefined ? [] : [`size *${size}*`]),
    ...(set.length === 0 ? [] : [`with ${set.map((one) => `\`${one}\``).join(', ')}`]),
  ].join(', ');

const markTexts: Readonly<Record<ItemMark, string>> = { asWritten: 'as written', partly: 'partly', cannot: 'cannot' };

const levelsText = ({ levels = {} }: Item): string =>
  Object.entries(levels)
    .map(([name, level]) => `${name}: ${String(level)}`)
    .join(', ');

const tableText = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** The number of items with each mark. */
export const marksOf = ({ items }: Pick<Story, 'items'>): Readonly<Record<ItemMark, number>> => {
  const count = (mark: ItemMark) => items.filter((item) => item.mark === mark).length;
  return { asWritten: count('asWritten'), partly: count('partly'), cannot: count('cannot') };
};

/** A story as Markdown, below its title. Links lead from docs/stories/. */
export function storyText(story: Story, figuresOf: FiguresOf): string {
  const { asWritten, partly, cannot } = marksOf(story);
  return [
    `${story.source}, ${story.year}.`,
    story.told,
    '## Claims',
    'Measured ratios come from the figures behind the pictures of the gallery’s cards: the speed of the second side as a multiple of the first, and at the end of a timeline as a multiple of that at its beginning (the last and the first fifth). The figures keep neither the date and machine of their run nor an interval. Ratios from 0.91 to 1.1 are called about equal, and the others tell a direction alone: run the experiment for a verdict. *no figures*: this page has no measurement of the claim.',
    tableText(
      ['What was claimed', 'Published', 'Experiment', 'Measured here', 'Note'],
      story.claims.map((claim) => [
        claim.what,
        claim.published,
        pressText(claim.press),
        claim.kept === null || claim.kept.experiment === claim.press.experiment
          ? keptText(claim, figuresOf)
          : `${keptText(claim, figuresOf)} (${linkTo(claim.kept.experiment)})`,
        claim.note,
      ]),
    ),
    '## Things to repeat',
    `${asWritten} of ${story.items.length} run as written, ${partly} with a difference, ${cannot} not. SQL Server and Oracle need a server of yours.`,
    tableText(
      ['What', 'Runs', 'Experiment', 'Level, or the reason'],
      story.items.map((item) => [
        item.what,
        markTexts[item.mark],
        item.press === undefined ? '–' : pressText(item.press),
        item.reason ?? (levelsText(item) || '–'),
      ]),
    ),
  ].join('\n\n');
}
