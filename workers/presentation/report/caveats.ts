import type { Caveat, RunModel } from '#analysis/run-model/run-model.ts';
import { many } from '#model/format/plural.ts';
import { type CaveatGroup, groupCaveats, isError, noCaveatText, placesText } from '../text/caveat-text.ts';
import { linkTo, paragraph, type ReportContext } from './context.ts';
import type { ReportBlock, ReportCaveat, Span } from './document.ts';

/** The most texts of one kind. The window has the others. */
const mostTexts = 4;
/** The kinds of caveats on the first page. */
const mostInBrief = 3;

/** Caveats by kind. Each text appears once, with all its cells. */
export function caveatsByKind(model: RunModel, caveats: readonly Caveat[]): ReportBlock {
  const letters = caveatLetters(model);
  return {
    kind: 'caveats',
    caveats: groupCaveats(model, caveats).map((group) => {
      const others = group.entries.length - mostTexts;
      const more = others <= 0 ? null : { text: `${others} more in the window of the run.` };
      return { ...headOf(model, group, letters), ...{ texts: group.entries.slice(0, mostTexts).map(textOf), more } };
    }),
  };
}

/**
 * Kinds of caveats, each with the letter that marks its cells in the table of results. Of texts that differ from cell
 * to cell, the first one stands here, and the appendix has all of them. The first page has the most important kinds.
 */
export function caveatsInBrief(context: ReportContext, part: 'first' | 'others'): readonly ReportBlock[] {
  const { model } = context;
  const groups = caveatKinds(model);
  if (groups.length === 0) {
    const none = model.caveats.some(isError) ? 'There are no caveats besides the errors.' : noCaveatText(model);
    return part === 'first' ? [paragraph('plain', none)] : [];
  }
  const letters = lettersOf(groups);
  const chosen = part === 'first' ? groups.slice(0, mostInBrief) : groups.slice(mostInBrief);
  const caveats = chosen.map((group): ReportCaveat => {
    const [first, ...others] = group.entries;
    const more: Span | null = others.length === 0 ? null : linkTo(context, 'caveats', `${others.length} more`);
    return { ...headOf(model, group, letters), texts: first === undefined ? [] : [textOf(first)], more };
  });
  return caveats.length === 0 ? [] : [{ kind: 'caveats', caveats }];
}

/** The kinds of caveats that are no errors, in the order of their letters. */
const caveatKinds = (model: RunModel): readonly CaveatGroup[] =>
  groupCaveats(
    model,
    model.caveats.filter((one) => !isError(one)),
  );

/** The kinds whose texts differ from cell to cell. */
export const caveatsInDetail = (model: RunModel): readonly Caveat[] => {
  const titles = new Set(caveatKinds(model).flatMap(({ entries, title }) => (entries.length > 1 ? [title] : [])));
  return model.caveats.filter((one) => !isError(one) && titles.has(one.title));
};

/** The letter of each kind of caveat, by title: a, b, … z, aa, ab. */
export const caveatLetters = (model: RunModel): Letters => lettersOf(caveatKinds(model));

type Letters = ReadonlyMap<string, string>;
const lettersOf = (kinds: readonly CaveatGroup[]): Letters =>
  new Map(kinds.map(({ title }, i) => [title, letterOf(i)]));

const letterOf = (index: number): string =>
  index < 26 ? String.fromCharCode(97 + index) : `${letterOf(Math.floor(index / 26) - 1)}${letterOf(index % 26)}`;

function headOf(model: RunModel, { severity, title, cells }: CaveatGroup, letters: Letters) {
  const isEverywhere = cells === model.cells.length && cells > 1;
  const count = cells === 0 ? '' : isEverywhere ? `all ${many(cells, 'cell')}` : many(cells, 'cell');
  return { severity, title, letter: letters.get(title) ?? null, cells: count };
}

const textOf = ({ text, places }: CaveatGroup['entries'][number]) => ({ text, places: placesText(places) });
