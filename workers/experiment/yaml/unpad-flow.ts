import { isMap, isSeq, parseDocument, visit } from 'yaml';

/** Removes the blanks inside `[ … ]` or `{ … }`; the YAML writer can only pad both kinds or neither. */
export function unpadFlow(text: string, kinds: { readonly lists: boolean; readonly mappings: boolean }): string {
  const cuts: (readonly [number, number])[] = [];
  visit(parseDocument(text), {
    Collection(_, node) {
      const wanted = (isSeq(node) && kinds.lists) || (isMap(node) && kinds.mappings);
      if (!wanted || !node.flow || !node.range) return;
      const [start, end] = node.range;
      const inner = text.slice(start + 1, end - 1);
      const [before, after] = [/^ +(?=\S)/.exec(inner)?.[0].length ?? 0, /(?<=\S) +$/.exec(inner)?.[0].length ?? 0];
      cuts.push([start + 1, before], [end - 1 - after, after]);
    },
  });
  return cuts
    .sort((a, b) => b[0] - a[0])
    .reduce((result, [at, length]) => result.slice(0, at) + result.slice(at + length), text);
}
