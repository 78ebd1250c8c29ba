/** Returns true if the font has a glyph for the character. */
export type HasGlyph = (font: string, codePoint: number) => boolean;

/** The printed texts of a document, and the characters for which its fonts have no glyph. */
interface Glyphs {
  /** The nodes with printable texts, in the notation of pdfmake. */
  printable<Node>(nodes: Node): Node;
  /** The characters that were replaced so far. */
  readonly replaced: ReadonlySet<string>;
}

/** Keys of nodes whose values hold texts or further nodes. */
const keysWithTexts: readonly string[] = ['text', 'svg', 'stack', 'columns', 'table', 'body'];

/**
 * Replaces characters that a font cannot show by their code points: "[U+6570 U+636E]". Without this, a reader would see
 * empty boxes. Invisible characters are left out, and a font without a special space has an ordinary one.
 */
export function glyphsOf(hasGlyph: HasGlyph, defaultFont: string): Glyphs {
  const replaced = new Set<string>();

  const textWith = (text: string, font: string): string => {
    const isMissing = (character: string) => !controls.test(character) && !hasGlyph(font, character.codePointAt(0)!);
    const pieces: (string | string[])[] = [];
    for (const character of text.replaceAll('\t', '    ')) {
      if (!isMissing(character)) pieces.push(character);
      else if (invisible.test(character)) continue;
      else if (spaces.test(character)) pieces.push(' ');
      else if (hyphens.test(character)) pieces.push('-');
      else {
        replaced.add(character);
        const last = pieces.at(-1);
        if (Array.isArray(last)) last.push(codeOf(character));
        else pieces.push([codeOf(character)]);
      }
    }
    return pieces.map((piece) => (typeof piece === 'string' ? piece : `[${piece.join(' ')}]`)).join('');
  };

  const valueWith = (value: unknown, font: string): unknown => {
    if (typeof value === 'string') return textWith(value, font);
    if (Array.isArray(value)) return value.map((one) => valueWith(one, font));
    if (typeof value !== 'object' || value === null) return value;
    const own = 'font' in value && typeof value.font === 'string' ? value.font : font;
    return Object.fromEntries(
      Object.entries(value).map(([key, inside]) => [
        key,
        keysWithTexts.includes(key) ? valueWith(inside, own) : inside,
      ]),
    );
  };

  return {
    printable: <Node>(nodes: Node): Node => valueWith(nodes, defaultFont) as Node,
    replaced,
  };
}

const controls = /[\n\r]/;
const invisible = /\p{Default_Ignorable_Code_Point}/u;
const spaces = /\p{Zs}/u;
const hyphens = /[\u2010\u2011]/;

/** "U+6570". */
const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** The sentence of a report whose texts have characters without a glyph. */
export const replacedText = (replaced: ReadonlySet<string>): string =>
  `The fonts of this PDF lack ${replaced.size === 1 ? 'one character' : `${replaced.size} characters`} of the report. Their code points stand in brackets: ${[...replaced].slice(0, mostNamed).map(codeOf).join(', ')}${replaced.size > mostNamed ? '…' : '.'} The HTML report shows all characters.`;

const mostNamed = 5;
