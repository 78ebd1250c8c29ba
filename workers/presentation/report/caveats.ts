import type { Caveat, RunModel } from '#analysis/run-model/run-model.ts';
import { many } from '#model/format/plural.ts';
import { type CaveatGroup, groupCaveats, isError, noCaveatText, placesText } from '../text/caveat-text.ts';
import { linkTo, type ReportContext } from './context.ts';
import { type Html, html } from './html.ts';

/** The most texts of one kind. The window has the others. */
const mostTexts = 4;

/** Caveats by kind. Each text appears once, with all its cells. */
export function renderCaveats(model: RunModel, caveats: readonly Caveat[]): Html {
  const letters = caveatLetters(model);
  return html`<ul class="caveats">${groupCaveats(model, caveats).map(
    (group) =>
      html`<li>${head(model, group, letters)}${group.entries.slice(0, mostTexts).map((entry) => entryText(entry))}${moreText(group.entries.length - mostTexts)}</li>`,
  )}</ul>`;
}

/**
 * Kinds of caveats, each with the letter that marks its cells in the table of results. Of texts that differ from cell
 * to cell, the first one stands here, and the appendix has all of them.
 */
export function renderCaveatsInBrief(context: ReportContext): Html {
  const { model } = context;
  const groups = caveatKinds(model);
  if (groups.length === 0)
    return html`<p>${model.caveats.some(isError) ? 'There are no caveats besides the errors.' : noCaveatText(model)}</p>`;
  const letters = lettersOf(groups);
  const kinds = groups.map((group) => {
    const [first, ...others] = group.entries;
    const more =
      others.length === 0
        ? html``
        : html` <span class="where">${linkTo(context, 'caveats', `${others.length} more`)}</span>`;
    return html`<li>${head(model, group, letters)}${first === undefined ? '' : entryText(first, more)}</li>`;
  });
  return html`<ul class="caveats">${kinds}</ul>`;
}

const moreText = (count: number): Html =>
  count <= 0 ? html`` : html`<p class="where">${count} more in the window of the run.</p>`;

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

function head(model: RunModel, { severity, title, cells }: CaveatGroup, letters: Letters): Html {
  const letter = letters.get(title);
  const isEverywhere = cells === model.cells.length && cells > 1;
  const count = cells === 0 ? '' : isEverywhere ? `all ${many(cells, 'cell')}` : many(cells, 'cell');
  return html`${letter === undefined ? '' : html`<span class="letter">${letter}</span>`}<span class="kind ${severity}">${title}</span>${count === '' ? '' : html` <span class="where">${count}</span>`}`;
}

const entryText = ({ text, places }: CaveatGroup['entries'][number], after: Html = html``): Html =>
  html`<p>${places.length === 0 ? '' : html`<span class="where">${placesText(places)}: </span>`}${text}${after}</p>`;
