import { sceneText } from '../charts/kit/scene.ts';
import type { SvgRenderer } from '../charts/plot/render-svg.ts';
import type { Fact } from '../text/fact.ts';
import { formatStart } from '../text/run-start.ts';
import { runFileNote } from './appendix.ts';
import { chartWidthPx } from './context.ts';
import {
  type ParagraphLook,
  plainWords,
  type ReportBlock,
  type ReportCaveat,
  type ReportDocument,
  type ReportFinding,
  type ReportSection,
} from './document.ts';
import { glyphsOf, type HasGlyph, replacedText } from './pdf-glyphs.ts';
import { pdfSvg } from './pdf-picture.ts';
import { pdfTable, targetName } from './pdf-table.ts';
import { codeLines, ink, inlines, type PdfNode } from './pdf-words.ts';

const pagePt = { width: 595.28, height: 841.89 } as const;
const marginPt = { side: 46, top: 46, bottom: 44 } as const;
const widthPt = pagePt.width - 2 * marginPt.side;
/** Charts are drawn in CSS pixels, and all pictures of the report are reduced by the same factor. */
const ptPerPx = widthPt / chartWidthPx;
/** A picture that is higher is reduced. */
const highestPt = 560;
/** On the first page a picture leaves room for the answer and the caveats. */
const highestFirstPt = 400;
/** A title stays with its explanation and with this much of its content. */
const leastContentPt = 56;
/** The characters of small text that fit into a line. */
const charactersInLine = 135;

/** The fonts that the caller gives to pdfmake, by the names that the definition uses. */
export const pdfFonts = { text: 'Text', code: 'Code' } as const;

/** The title, with the logo on its right. */
function titleNode({ title, logo }: ReportDocument): PdfNode {
  const text = { text: title, fontSize: 20, bold: true, lineHeight: 1.05 };
  if (logo === null) return text;
  const width = logo.widthPx * ptPerPx;
  const image = { image: `data:image/png;base64,${logo.png}`, width, height: logo.heightPx * ptPerPx };
  return {
    columns: [
      { width: '*', stack: [text] },
      { width, stack: [image] },
    ],
    columnGap: 16,
  };
}

interface PdfContext {
  readonly document: ReportDocument;
  readonly renderSvg: SvgRenderer;
}

/** The document for pdfmake: A4, with bookmarks, headers and page numbers. The same run gives the same file. */
export function pdfDefinition(document: ReportDocument, renderSvg: SvgRenderer, hasGlyph: HasGlyph) {
  const { title, question, meta, author, startedAt, dynoVersion, firstPages, appendix } = document;
  const context: PdfContext = { document, renderSvg };
  const small = { fontSize: 7.5, color: ink.muted };
  const { printable, replaced } = glyphsOf(hasGlyph, pdfFonts.text);
  const heading = printable({ text: title });
  const content = printable([
    titleNode(document),
    { text: question, fontSize: 11.5, color: ink.muted, margin: [0, 2, 0, 5] },
    { text: meta.join(' · '), ...small },
    ...firstPages.flatMap((one) => sectionNodes(one, context, null)),
    ...(appendix === null ? [] : appendixNodes(appendix, context)),
  ]);
  return {
    pageSize: 'A4',
    pageMargins: [marginPt.side, marginPt.top, marginPt.side, marginPt.bottom],
    // In files of later versions pdfkit also writes the title as XML, without escaping it.
    version: '1.3',
    language: 'en',
    displayTitle: true,
    info: {
      ...{ title: `${title} – Dyno report`, author, subject: question, creator: `Dyno ${dynoVersion}` },
      ...{ creationDate: new Date(startedAt), modDate: new Date(startedAt) },
    },
    defaultStyle: { font: pdfFonts.text, fontSize: 8.5, color: ink.text, lineHeight: 1.12 },
    header: (page: number) =>
      page === 1
        ? null
        : {
            margin: [marginPt.side, 22, marginPt.side, 0],
            columns: [
              { ...heading, ...small },
              { text: formatStart(startedAt), width: 'auto', ...small },
            ],
          },
    footer: (page: number, pages: number) => ({
      margin: [marginPt.side, 16, marginPt.side, 0],
      columns: [
        { text: `Dyno ${dynoVersion}`, ...small },
        { text: `page ${page} of ${pages}`, width: 'auto', ...small },
      ],
    }),
    pageBreakBefore: isTooLow,
    content:
      replaced.size === 0 ? content : [...content, { text: replacedText(replaced), margin: [0, 8, 0, 0], ...small }],
  };
}

/** A node of pdfmake with its place on a page. */
interface PlacedNode {
  /** The height in points that a title and its first content need. pdfmake hands on no property of another name. */
  readonly headlineLevel?: number;
  readonly startPosition: { readonly top: number };
}

const isTooLow = ({ headlineLevel, startPosition }: PlacedNode): boolean =>
  headlineLevel !== undefined && startPosition.top + headlineLevel > pagePt.height - marginPt.bottom;

const rule = (widthOfLine: number, colour: string, above: number): PdfNode => ({
  canvas: [{ type: 'line', x1: 0, y1: 0, x2: widthPt, y2: 0, lineWidth: widthOfLine, lineColor: colour }],
  margin: [0, above, 0, 0],
});

const appendixId = 'appendix';

const appendixNodes = (sections: readonly ReportSection[], context: PdfContext): readonly PdfNode[] => [
  {
    headlineLevel: 60 + (sections[0] === undefined ? 0 : heightOfBegin(sections[0])),
    unbreakable: true,
    stack: [
      rule(2, ink.text, 16),
      {
        text: 'Appendix',
        fontSize: 15,
        bold: true,
        margin: [0, 6, 0, 2],
        ...{ id: appendixId, outline: true },
      },
      {
        text: sections.flatMap(({ id, title }, i) => [
          ...(i === 0 ? [] : [{ text: '   ' }]),
          { text: title.replaceAll(' ', '\u00a0'), linkToDestination: id },
        ]),
        ...{ fontSize: 7.5, color: ink.muted },
      },
    ],
  },
  ...sections.flatMap((one) => sectionNodes(one, context, appendixId)),
  { text: runFileNote, fontSize: 8, color: ink.muted, margin: [0, 10, 0, 0] },
];

/** A section with its bookmark. Its title stays with its first picture, finding or caveat, or with the first lines. */
function sectionNodes(section: ReportSection, context: PdfContext, parent: string | null): readonly PdfNode[] {
  const { id, title, note, blocks } = section;
  const head: readonly PdfNode[] = [
    rule(0.5, ink.line, 8),
    {
      ...{ text: title, fontSize: 11, bold: true, margin: [0, 5, 0, 3] },
      ...{ id, outline: true, outlineText: title, ...(parent !== null && { outlineParentId: parent }) },
    },
    ...(note === '' ? [] : [{ ...paragraphStyles.note, text: inlines(note), margin: [0, 0, 0, 4] }]),
  ];
  const [first, ...others] = blocks;
  const drawn = (block: ReportBlock) => blockNodes(block, context, parent === null);
  if (first === undefined || !wholeBlocks.includes(first.kind))
    return [{ headlineLevel: heightOfBegin(section), unbreakable: true, stack: head }, ...blocks.flatMap(drawn)];
  const [node, ...nodes] = drawn(first);
  return [{ unbreakable: true, stack: [...head, ...(node ? [node] : [])] }, ...nodes, ...others.flatMap(drawn)];
}

/** Blocks whose nodes stay whole, so that a title has to be on the page of the first of them. */
const wholeBlocks: readonly ReportBlock['kind'][] = ['picture', 'chart', 'findings', 'caveats'];

/** The height of a section's title and explanations with the first lines of its content, about. */
function heightOfBegin({ note, blocks }: ReportSection): number {
  const explanations = [note];
  for (const block of blocks) {
    if (block.kind !== 'paragraph' || block.look !== 'note') break;
    explanations.push(plainWords(block.words));
  }
  const lines = explanations.map((text) => Math.ceil(text.length / charactersInLine));
  return 28 + 10 * lines.reduce((sum, one) => sum + one, 0) + leastContentPt;
}

const paragraphStyles: Readonly<Record<ParagraphLook, PdfNode>> = {
  plain: {},
  note: { fontSize: 7.6, color: ink.muted },
  headline: { fontSize: 15, bold: true, lineHeight: 1.1 },
  certainty: { bold: true },
  grade: {},
  own: { preserveLeadingSpaces: true },
  aside: { fontSize: 7.6, color: ink.muted },
};

function blockNodes(block: ReportBlock, context: PdfContext, isFirstPage: boolean): readonly PdfNode[] {
  const { document, renderSvg } = context;
  const picture = (svg: string, widthPx: number, heightPx: number): PdfNode => {
    const fit = Math.min(1, (isFirstPage ? highestFirstPt : highestPt) / (heightPx * ptPerPx));
    return { svg: pdfSvg(svg), width: widthPx * ptPerPx * fit, margin: [0, 2, 0, 4] };
  };
  switch (block.kind) {
    case 'paragraph':
      return [{ text: inlines(block.words), margin: [0, 0, 0, 4], ...paragraphStyles[block.look] }];
    case 'heading':
      return [
        {
          text: block.target === undefined ? block.text : targetName(block.text, document.targets, block.target),
          ...{ fontSize: block.level === 3 ? 9.5 : 8.5, bold: true, margin: [0, 7, 0, 3] },
          headlineLevel: 20 + leastContentPt,
        },
      ];
    case 'facts':
      return [factsNode(block.facts)];
    case 'table':
      return [pdfTable(block.table, document.targets)];
    case 'picture': {
      const { widthPx, heightPx } = block.scene;
      return [picture(sceneText(block.scene), widthPx, heightPx)];
    }
    case 'chart': {
      const { chart } = block;
      return 'scene' in chart
        ? [picture(sceneText(chart.scene), chart.scene.widthPx, chart.scene.heightPx)]
        : [picture(renderSvg(chart, chartWidthPx), chartWidthPx, chart.heightPx)];
    }
    case 'code':
      return [
        ...(block.label === undefined ? [] : [{ text: block.label, ...paragraphStyles.note, margin: [0, 0, 0, 2] }]),
        {
          text: codeLines(block.text),
          ...{ font: pdfFonts.code, fontSize: 6.2, lineHeight: 1.1, preserveLeadingSpaces: true, margin: [0, 0, 0, 6] },
          // Code has no ligatures.
          fontFeatures: { calt: false, liga: false },
        },
      ];
    case 'caveats':
      return block.caveats.map(caveatNode);
    case 'findings':
      return block.findings.map(findingNode);
  }
}

const factsNode = (facts: readonly Fact[]): PdfNode => ({
  margin: [0, 0, 0, 4],
  fontSize: 8,
  table: {
    widths: [112, '*'],
    dontBreakRows: true,
    // The explanations are tooltips elsewhere, and paper has none.
    body: facts.map(([name, value, about]) => [
      { text: name, color: ink.muted },
      { text: [...inlines(value), ...(about === undefined ? [] : [{ text: ` ${about}`, color: ink.muted }])] },
    ]),
  },
  layout: {
    ...{ hLineWidth: () => 0, vLineWidth: () => 0 },
    paddingLeft: (column: number) => (column === 0 ? 0 : 10),
    ...{ paddingRight: () => 0, paddingTop: () => 1, paddingBottom: () => 1 },
  },
});

const severityColours = { error: ink.bad, warning: ink.warning, info: ink.text } as const;

function caveatNode({ letter, severity, title, cells, texts, more }: ReportCaveat): PdfNode {
  const head = [
    { text: title, bold: true, color: severityColours[severity] },
    ...(cells === '' ? [] : [{ text: `  ${cells}`, color: ink.muted }]),
  ];
  const lines = texts.map(({ places, text }, i) => ({
    text: [
      ...(places === '' ? [] : [{ text: `${places}: `, color: ink.muted }]),
      ...inlines(text),
      ...(more !== null && texts.length === 1 && i === 0 ? [{ text: ' ' }, ...moreInline(more)] : []),
    ],
  }));
  const after = more === null || texts.length === 1 ? [] : [{ text: moreInline(more) }];
  const stack = [{ text: head }, ...lines, ...after];
  return {
    margin: [0, 0, 0, 5],
    unbreakable: true,
    ...(letter === null
      ? { stack }
      : {
          columns: [
            { text: letter, width: 12, bold: true, color: ink.warning },
            { stack, width: '*' },
          ],
        }),
  };
}

const moreInline = (more: NonNullable<ReportCaveat['more']>) =>
  inlines([more]).map((one) => ({ ...one, color: ink.muted }));

function findingNode({ title, confidence, claim, scene, evidence, advice }: ReportFinding): PdfNode {
  const rows = evidence.map(({ label, text }) => [
    { text: label, color: ink.muted },
    { text: inlines(text), alignment: 'right' },
  ]);
  const table = {
    fontSize: 7.5,
    width: '*',
    table: { widths: ['*', 'auto'], body: rows },
    layout: {
      ...{ hLineWidth: () => 0, vLineWidth: () => 0, paddingLeft: () => 0 },
      ...{ paddingRight: (column: number) => (column === 0 ? 10 : 0), paddingTop: () => 1, paddingBottom: () => 1 },
    },
  };
  const picture = scene && { svg: pdfSvg(sceneText(scene)), width: scene.widthPx * ptPerPx };
  const inside = [...(picture ? [picture] : []), ...(rows.length === 0 ? [] : [table])];
  return {
    unbreakable: true,
    margin: [0, 0, 0, 8],
    stack: [
      {
        text: [
          { text: title, bold: true },
          { text: `  ${confidence}`, color: ink.muted },
        ],
      },
      { text: inlines(claim), bold: true, margin: [0, 0, 0, 2] },
      ...(inside.length === 0 ? [] : [{ columns: inside, columnGap: 16, margin: [0, 2, 0, 3] }]),
      { text: inlines(advice), color: ink.muted },
    ],
  };
}
