import { markdownLines } from '../tables/shared/markdown-table.ts';
import { markdownText } from '../text/markdown-text.ts';
import {
  plainWords,
  type ReportBlock,
  type ReportCaveat,
  type ReportDocument,
  type ReportFinding,
  type ReportRow,
  type ReportSection,
  type ReportTable,
  type Words,
} from './document.ts';

/**
 * Writes a report as Markdown with tables as GitHub reads them. It has no pictures: the sections that have nothing else
 * are left out, and its last line says which formats have them.
 */
export function renderMarkdown({ title, question, meta, firstPages, appendix }: ReportDocument): string {
  const sections = (all: readonly ReportSection[], level: string) => all.flatMap((one) => sectionLines(one, level));
  return `${[
    `# ${markdownText(title)}`,
    ...(question === '' ? [] : [`> ${markdownText(question)}`]),
    meta.map(markdownText).join(' · '),
    ...sections(firstPages, '##'),
    ...(appendix === null || appendix.length === 0 ? [] : ['## Appendix', ...sections(appendix, '###')]),
    `_${picturesNote}_`,
  ].join('\n\n')}\n`;
}

const picturesNote = 'The charts are in the report as HTML or PDF, and in the sets of pictures (SVG, PNG).';

function sectionLines({ title, note, blocks }: ReportSection, level: string): readonly string[] {
  const body = blocks.flatMap((block) => blockLines(block, level));
  if (body.length === 0) return [];
  return [`${level} ${markdownText(title)}`, ...(note === '' ? [] : [markdownText(note)]), ...body];
}

function blockLines(block: ReportBlock, level: string): readonly string[] {
  switch (block.kind) {
    case 'paragraph': {
      const { look, words } = block;
      if (look === 'own') return [ownLines(plainWords(words))];
      const text = wordsText(words);
      if (text === '') return [];
      return [look === 'headline' || look === 'certainty' ? `**${text}**` : text];
    }
    case 'heading':
      return [`${level}${'#'.repeat(block.level - 2)} ${markdownText(block.text)}`];
    case 'facts':
      return [block.facts.map(([name, value]) => `- **${markdownText(name)}**: ${markdownText(value)}`).join('\n')];
    case 'table':
      return block.table.rows.length === 0 ? [] : [tableText(block.table)];
    case 'code':
      return [...(block.label === undefined ? [] : [markdownText(block.label)]), codeText(block.text)];
    case 'caveats':
      return [block.caveats.map(caveatText).join('\n')];
    case 'findings':
      return [block.findings.map(findingText).join('\n')];
    case 'picture':
    case 'chart':
      return [];
  }
}

/** The user's own lines stay lines. */
const ownLines = (text: string): string =>
  text
    .trim()
    .split(/\r?\n/)
    .map((line) => `> ${markdownText(line)}`.trimEnd())
    .join('  \n');

/** The verdicts and the errors are bold. */
const wordsText = (words: Words): string =>
  typeof words === 'string'
    ? markdownText(words)
    : words
        .map((one) => {
          if (typeof one === 'string') return spaced(one);
          const text = spaced(one.text);
          return one.look !== undefined && boldLooks.has(one.look) && text.trim() !== '' ? `**${text.trim()}**` : text;
        })
        .join('')
        .trim();

const boldLooks: ReadonlySet<string> = new Set(['faster', 'slower', 'bad', 'good', 'usable', 'doNotQuote']);

/** The text with the spaces at its ends, which separate it from its neighbours. */
const spaced = (text: string): string =>
  `${/^\s/.test(text) ? ' ' : ''}${markdownText(text)}${/\S\s$/.test(text) ? ' ' : ''}`;

const tableText = ({ columns, rows }: ReportTable): string =>
  markdownLines(
    columns,
    rows.flatMap((row, i) => {
      const cells = cellsOf(row, columns.length);
      return row.group === undefined || row.group === rows[i - 1]?.group
        ? [cells]
        : [[`**${markdownText(row.group)}**`, ...columns.slice(1).map(() => '')], cells];
    }),
  );

const cellsOf = ({ cells }: ReportRow, count: number): readonly string[] => {
  const texts = cells.flatMap(({ lines, columns = 1 }) => [
    lines
      .map(wordsText)
      .filter((text) => text !== '')
      .join('<br>'),
    ...Array.from({ length: columns - 1 }, () => ''),
  ]);
  return Array.from({ length: count }, (_, i) => texts[i] ?? '');
};

/** A fence of more backticks than the text has in a row. */
function codeText(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function caveatText({ title, letter, cells, texts, more }: ReportCaveat): string {
  const head = `- ${letter === null ? '' : `(${letter}) `}**${markdownText(title)}**${cells === '' ? '' : ` (${markdownText(cells)})`}`;
  const lines = texts.map(
    ({ places, text }) => `  - ${places === '' ? '' : `${markdownText(places)}: `}${markdownText(text)}`,
  );
  return [head, ...lines, ...(more === null ? [] : [`  - ${markdownText(more.text)}`])].join('\n');
}

const findingText = ({ title, confidence, claim, evidence, advice }: ReportFinding): string =>
  [
    `- **${markdownText(title)}** (${markdownText(confidence)}): ${markdownText(claim)}`,
    ...evidence.map(({ label, text }) => `  - ${markdownText(label)}: ${markdownText(text)}`),
    ...(advice === '' ? [] : [`  - ${markdownText(advice)}`]),
  ].join('\n');
