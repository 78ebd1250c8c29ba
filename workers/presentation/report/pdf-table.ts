import { colourOf, lightTheme } from '../charts/kit/theme.ts';
import type { PanelColumn } from '../tables/shared/panel-table.ts';
import {
  plainWords,
  type ReportCell,
  type ReportDocument,
  type ReportRow,
  type ReportTable,
  type Words,
} from './document.ts';
import { pdfRatioMark } from './pdf-picture.ts';
import { breakable, ink, inlines, type PdfInline, type PdfNode } from './pdf-words.ts';

/** Tables with more columns have smaller text. */
const mostColumns = 9;
const asideSize = 6.2;
/** Names of variants and targets with at most so many characters stay on one line. */
const unbrokenName = { few: 22, wide: 12 } as const;

/** A table whose head is repeated on each page and whose rows stay whole. */
export function pdfTable({ columns, rows }: ReportTable, targets: ReportDocument['targets']): PdfNode {
  const body: PdfNode[][] = [];
  const groupRows = new Set<number>();
  const isWide = columns.length > mostColumns;
  const context: TableContext = { targets, unbroken: isWide ? unbrokenName.wide : unbrokenName.few };
  body.push(
    columns.map(({ title, kind, target }) => ({
      ...(target === undefined ? { text: breakable(title) } : targetNode(target, context)),
      ...{ bold: true, color: ink.muted, alignment: kind === 'number' ? 'right' : 'left' },
    })),
  );
  rows.forEach((row, i) => {
    const { group } = row;
    if (group !== undefined && group !== rows[i - 1]?.group) {
      groupRows.add(body.length);
      body.push(spanning({ text: group, color: ink.muted, margin: [0, 3, 0, 0] }, columns.length));
    } else if (row.beginsGroup) groupRows.add(body.length);
    body.push(cellsOf(row, columns, context));
  });
  return {
    fontSize: isWide ? 6.5 : 7.5,
    margin: [0, 2, 0, 6],
    table: { headerRows: 1, keepWithHeaderRows: 1, dontBreakRows: true, widths: widthsOf(columns), body },
    layout: {
      hLineWidth: (line: number) => (line === 0 ? 0 : 0.5),
      vLineWidth: () => 0,
      hLineColor: (line: number) => (line === 1 || groupRows.has(line) ? ink.axis : ink.line),
      paddingLeft: () => 0,
      paddingRight: (column: number) => (column === columns.length - 1 ? 0 : isWide ? 5 : 8),
      paddingTop: () => 2,
      paddingBottom: () => 2,
    },
  };
}

interface TableContext {
  readonly targets: ReportDocument['targets'];
  /** The most characters of a name that stays on one line. */
  readonly unbroken: number;
}

/** The last column of text takes the room that is left. */
function widthsOf(columns: readonly PanelColumn[]): readonly string[] {
  const last = columns.findLastIndex(({ kind }) => kind === 'remark' || kind === 'words' || kind === 'aside');
  const wide = last === -1 ? columns.findIndex(({ kind }) => kind !== 'number') : last;
  return columns.map((_, i) => (i === wide ? '*' : 'auto'));
}

function cellsOf({ cells, isReference }: ReportRow, columns: readonly PanelColumn[], context: TableContext) {
  return cells.flatMap((cell, c): PdfNode[] => {
    const node = cellOf(cell, columns[c]!, isReference === true, context);
    return cell.columns === undefined ? [node] : spanning(node, cell.columns);
  });
}

/** A cell over several columns. pdfmake wants an empty cell for each column that it covers. */
const spanning = (node: PdfNode, columns: number): PdfNode[] => [
  { ...node, colSpan: columns },
  ...Array.from({ length: columns - 1 }, () => ({ text: '' })),
];

function cellOf(
  { lines, tone, mark, columns }: ReportCell,
  { kind }: PanelColumn,
  isReference: boolean,
  context: TableContext,
): PdfNode {
  const isNumber = kind === 'number' && columns === undefined;
  const isHead = (kind === 'head' || kind === 'level') && columns === undefined;
  const texts: readonly PdfNode[] = lines.flatMap((line, i): PdfNode[] =>
    kind === 'target'
      ? [targetNode(plainWords(line), context)]
      : isNumber
        ? numberLines(line, i > 0)
        : [textOf(line, isHead ? context.unbroken : 0)],
  );
  const drawn = mark === undefined ? [] : [{ svg: pdfRatioMark(mark), width: 62, margin: [0, 1, 0, 0] }];
  return {
    stack: [...texts, ...drawn],
    // The digits of a column stand below each other.
    ...(isNumber && { alignment: 'right', fontFeatures: { tnum: true } }),
    ...((isHead || tone === 'differs') && { bold: true }),
    ...(tone === 'differs' && { fillColor: ink.zebra }),
    ...(tone === 'bad' ? { color: ink.bad } : isReference || kind === 'aside' ? { color: ink.muted } : {}),
  };
}

/** A column can be narrower than its longest word by a rounding error, and pdfmake would break the word. */
const textOf = (words: Words, unbroken: number): PdfNode => ({
  text: inlines(words).map((one) => ({
    ...one,
    text: breakable(one.text),
    ...((one.text.length <= unbroken || /^\S{1,14}$/.test(one.text)) && { noWrap: true }),
  })),
});

/** The number in one line, and what is said about it in smaller lines below. */
function numberLines(words: Words, isBelow: boolean): PdfNode[] {
  const pieces = typeof words === 'string' ? [words] : words;
  return pieces.flatMap((one): PdfNode[] => {
    const [text, isAside] = typeof one === 'string' ? [one, false] : [one.text, one.look === 'aside'];
    const trimmed = text.replace(/^[\s,]+|\s+$/g, '');
    if (trimmed === '') return [];
    const piece = typeof one === 'string' ? trimmed : { ...one, text: trimmed };
    return [{ text: inlines([piece]), ...((isAside || isBelow) && { fontSize: asideSize }) }];
  });
}

/** A target's name behind a square of its colour, in columns, because a line may end within joined pieces of text. */
function targetNode(name: string, { targets, unbroken }: TableContext): PdfNode {
  const [square, text] = targetName(name, targets);
  if (square === undefined || text === undefined) return { text: breakable(name) };
  return {
    columns: [
      { ...square, width: 10 },
      { ...text, width: 'auto', ...(name.length <= unbroken && { text: name, noWrap: true }) },
    ],
  };
}

/** A text behind a square of the colour of a target. `target`: its name, if the text is another one. */
export function targetName(
  name: string,
  targets: ReportDocument['targets'],
  target: string = name,
): readonly PdfInline[] {
  const index = targets.find((one) => one.name === target)?.index;
  return index === undefined
    ? [{ text: breakable(name) }]
    : [{ text: '■\u00a0', color: colourOf(lightTheme, index) }, { text: breakable(name) }];
}
