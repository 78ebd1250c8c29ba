import * as v from 'valibot';
import { formatCount } from '#model/format/format.ts';
import { isMapping } from '#model/is-mapping.ts';
import { about } from './tool.ts';

/** The most characters of an answer, so that one answer does not fill the memory of an agent. */
const mostCharacters = 40_000;
const mostItems = 200;
const usualItems = 50;
/** The most characters of a text in an item, and the most values of a list there. */
const longestText = 2_000;
const longestList = 100;

/** The arguments of tools that answer with a page of a list. */
export const pageInput = {
  offset: v.optional(about(v.pipe(v.number(), v.integer(), v.minValue(0)), 'Number of the first item, from 0.'), 0),
  limit: v.optional(
    about(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostItems)), 'Largest number of items.'),
    usualItems,
  ),
};

const next = about(v.nullable(v.number()), 'The offset of the next page; null: this is the last one.');

/** The members of an answer that is a page of a list. */
export const pageOutput = <S extends v.GenericSchema>(item: S) => ({
  items: v.array(item),
  total: about(v.number(), 'Number of all items.'),
  nextOffset: next,
});

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/**
 * A page of a list, which ends where it would be too long for one answer. Long texts and lists in its items are cut,
 * and end with what is missing.
 */
export function pageOf<T>(all: readonly T[], { offset, limit }: Page) {
  const items: T[] = [];
  let characters = 0;
  for (const one of all.slice(offset, offset + limit)) {
    const item = shortened(one) as T;
    characters += JSON.stringify(item)?.length ?? 0;
    if (items.length > 0 && characters > mostCharacters) break;
    items.push(item);
  }
  const end = offset + items.length;
  return { items, total: all.length, nextOffset: end < all.length ? end : null };
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= longestText
      ? value
      : `${value.slice(0, longestText)}… (${formatCount(value.length - longestText)} more characters)`;
  if (Array.isArray(value)) {
    const shown = value.slice(0, longestList).map(shortened);
    return value.length <= longestList ? shown : [...shown, `… (${formatCount(value.length - longestList)} more)`];
  }
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}

/** The arguments of tools that answer with a part of a long text. */
export const textInput = {
  offset: v.optional(
    about(v.pipe(v.number(), v.integer(), v.minValue(0)), 'Number of the first character, from 0.'),
    0,
  ),
};

/** The members of an answer that is a part of a long text. */
export const textOutput = {
  text: v.string(),
  totalCharacters: about(v.number(), 'Number of all characters.'),
  nextOffset: next,
};

/** A part of a text, which ends with a whole line if it can. */
export function textPage(all: string, offset: number) {
  const cut = all.slice(offset, offset + mostCharacters);
  const isLast = offset + cut.length >= all.length;
  const lineEnd = cut.lastIndexOf('\n') + 1;
  const text = isLast || lineEnd === 0 ? cut : cut.slice(0, lineEnd);
  return { text, totalCharacters: all.length, nextOffset: isLast ? null : offset + text.length };
}
