/** One character of a code: literal, or one of `count` characters from `first` on. */
type CodePart = { readonly literal: string } | { readonly first: string; readonly count: number };

const kinds: Readonly<Record<string, CodePart>> = {
  '#': { first: '0', count: 10 },
  '?': { first: 'A', count: 26 },
};

/** The characters of a pattern: # is a digit, ? a capital letter, \ makes the next character literal. */
export function codeParts(pattern: string): readonly CodePart[] {
  const written = pattern.match(/\\?./g) ?? [];
  return written.map((part) => kinds[part] ?? { literal: part.at(-1)! });
}

/** Number of different codes. */
export const codeCount = (pattern: string): number =>
  codeParts(pattern).reduce((product, part) => ('count' in part ? product * part.count : product), 1);
