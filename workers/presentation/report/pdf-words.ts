import type { Span, SpanLook, Words } from './document.ts';

/** A piece of text in the notation of pdfmake. */
export interface PdfInline {
  readonly text: string;
  readonly color?: string;
  readonly bold?: boolean;
  readonly noWrap?: boolean;
  readonly fontSize?: number;
  readonly linkToDestination?: string;
}

/** A part of a document in the notation of pdfmake: text, stack, columns, table or svg, with its style. */
export type PdfNode = Readonly<Record<string, unknown>>;

/** The colours of a printed page, which is white. */
export const ink = {
  text: '#1c2126',
  muted: '#5c6670',
  line: '#dde2e7',
  axis: '#9aa3ac',
  zebra: '#eef1f4',
  warning: '#8a5a00',
  bad: '#a3244f',
} as const;

const spanStyles: Readonly<Record<SpanLook, Omit<PdfInline, 'text'>>> = {
  aside: { color: ink.muted },
  faster: { bold: true },
  slower: { bold: true },
  none: { color: ink.muted },
  good: { bold: true },
  usable: { bold: true, color: ink.warning },
  doNotQuote: { bold: true, color: ink.bad },
  warning: { color: ink.warning },
  letters: { color: ink.warning },
  bad: { color: ink.bad },
};

/** Words as pieces of text. No line ends within an interval. */
export const inlines = (words: Words): readonly PdfInline[] =>
  (typeof words === 'string' ? [words] : words).flatMap((one) =>
    unbrokenRanges(typeof one === 'string' ? { text: breakableWithin(one) } : inlineOf(one)),
  );

const inlineOf = ({ text, look, link }: Span): PdfInline => ({
  text: breakableWithin(text),
  ...(look !== undefined && spanStyles[look]),
  ...(link !== undefined && { linkToDestination: link }),
});

const range = /(\S*\d\S*–\S*\d\S*)/;

const unbrokenRanges = (piece: PdfInline): readonly PdfInline[] =>
  piece.text
    .split(range)
    .map((text, i) => ({ ...piece, text, ...(i % 2 === 1 && { noWrap: true }) }))
    .filter(({ text }) => text !== '');

const softBreak = '\u200b';

/**
 * Lets long words of tables break, because a column is as wide as its longest word: after punctuation, otherwise
 * anywhere.
 */
export const breakable = (text: string): string =>
  text.replaceAll(/\S{15,}/g, (word) =>
    word
      .split(/(?<=[_.,:;/\\()=+&|-])/)
      .flatMap((part) => part.match(/.{1,14}/gsu) ?? [])
      .join(softBreak),
  );

/** Lets words break that are longer than a line. pdfmake breaks them itself, but needs minutes for some of them. */
const breakableWithin = (text: string): string =>
  text.replaceAll(/\S{60,}/g, (word) => (word.match(/.{1,40}/gsu) ?? []).join(softBreak));

/** The characters in a line of code. */
const codeColumns = 128;
/** The lines of code that a PDF shows. The experiment file is complete in the run file. */
const mostCodeLines = 500;

/** Code with lines that fit on the page. A longer line continues in the next one, if possible after a space. */
export function codeLines(code: string): string {
  const lines = code
    .slice(0, codeColumns * mostCodeLines)
    .split('\n')
    .flatMap(wrapped);
  return lines.length > mostCodeLines || code.length > codeColumns * mostCodeLines
    ? [...lines.slice(0, mostCodeLines), '', '… The HTML report has the other lines.'].join('\n')
    : lines.join('\n');
}

const wrapped = (line: string): readonly string[] => line.match(/(?=.{129}).{64,127}[ ,](?! )|.{1,128}/gsu) ?? [''];
