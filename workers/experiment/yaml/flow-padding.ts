import { type Document, isMap, isSeq, visit } from 'yaml';

/**
 * The blanks inside `[ … ]` or `{ … }` that a file does not have, each by its offset and length, in their order: the
 * YAML writer can only pad both kinds or neither.
 */
export function flowPadding(
  text: string,
  document: Document,
  kinds: { readonly lists: boolean; readonly mappings: boolean },
): readonly (readonly [number, number])[] {
  const cuts: (readonly [number, number])[] = [];
  visit(document, {
    Collection(_, node) {
      const wanted = (isSeq(node) && kinds.lists) || (isMap(node) && kinds.mappings);
      if (!wanted || !node.flow || !node.range) return;
      const [start, end] = node.range;
      const inner = text.slice(start + 1, end - 1);
      const [before, after] = [/^ +(?=\S)/.exec(inner)?.[0].length ?? 0, /(?<=\S) +$/.exec(inner)?.[0].length ?? 0];
      cuts.push([start + 1, before], [end - 1 - after, after]);
    },
  });
  return cuts.sort((a, b) => a[0] - b[0]);
}
