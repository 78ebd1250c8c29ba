import { expect, it } from 'vitest';
import { madeTournament, storeChanges } from '#analysis/compare/tournament.fixture.ts';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import { standardChoices } from '#protocol/report-choices.ts';
import { lightTheme } from '../charts/kit/theme.ts';
import { pdfDefinition } from './pdf-definition.ts';
import { glyphsOf } from './pdf-glyphs.ts';
import { pdfSvg } from './pdf-picture.ts';
import { breakable, inlines } from './pdf-words.ts';
import { reportDocument } from './report.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>';

/** The texts below some keys, in their order. */
function textsIn(value: unknown, isText: (key: string) => boolean, key = ''): readonly string[] {
  if (typeof value === 'string') return isText(key) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, isText, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => textsIn(inside, isText, name));
}

const plain = (text: string) => text.replaceAll(/[\s\u200b,]+/g, '');

it.each([
  ['a duel', readRun(fixtureJournal({ connections: [1, 4] }))],
  ['a tournament', madeTournament({ changes: storeChanges, repeats: 2 })],
])('has every text of the report of %s', (_, model) => {
  const document = reportDocument(model, lightTheme, {
    ...standardChoices,
    author: 'Ada',
    logo: null,
    note: 'A note.',
  });
  const definition = pdfDefinition(
    document,
    () => svg,
    () => true,
  );
  const printed = plain(textsIn(definition.content, (key) => key === 'text').join(' '));
  const sections = [...document.firstPages, ...(document.appendix ?? [])];
  const texts = textsIn(
    sections.map((section) => ({
      ...section,
      // The texts of drawings are in their SVG.
      blocks: section.blocks.flatMap((block): unknown =>
        block.kind === 'picture' || block.kind === 'chart'
          ? []
          : block.kind === 'findings'
            ? block.findings.map((finding) => ({ ...finding, scene: null }))
            : block,
      ),
    })),
    (key) => ['title', 'note', 'words', 'text', 'facts', 'lines', 'claim', 'advice', 'label', 'group'].includes(key),
  ).filter((text) => text !== '');
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((text) => !printed.includes(plain(text)))).toEqual([]);
});

it('keeps the title of the findings with the first of them', () => {
  const model = readRun(fixtureJournal({ connections: [1, 4] }));
  const document = reportDocument(model, lightTheme, { ...standardChoices, logo: null, note: '' });
  const { content } = pdfDefinition(
    document,
    () => svg,
    () => true,
  );
  const [first] = (document.appendix ?? []).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'findings' ? block.findings : [])),
  );
  const whole = content.find((node) => textsIn(node, (key) => key === 'outlineText').includes('Findings'));
  expect(whole).toMatchObject({ unbreakable: true });
  expect(textsIn(whole, (key) => key === 'text')).toContain(first?.title);
});

it('breaks long words of tables after punctuation, and no range of numbers', () => {
  expect(breakable('orders_customer_created_index').split('\u200b')).toEqual([
    'orders_',
    'customer_',
    'created_',
    'index',
  ]);
  expect(breakable('a short text')).toBe('a short text');
  expect(inlines('is 2.8× (1.3–14) as fast')).toEqual([
    { text: 'is 2.8× ' },
    { text: '(1.3–14)', noWrap: true },
    { text: ' as fast' },
  ]);
});

it('replaces characters without a glyph by their code points, and says so', () => {
  const { printable, replaced } = glyphsOf((_, codePoint) => codePoint < 0x2000, 'Text');
  expect(printable({ text: ['数据 a\u2060b\u2009c', { text: '🙂' }], link: '数' })).toEqual({
    text: ['[U+6570 U+636E] ab c', { text: '[U+1F642]' }],
    link: '数',
  });
  expect([...replaced]).toEqual(['数', '据', '🙂']);
});

it('draws the halo of a text below the text', () => {
  const drawn = pdfSvg(
    '<svg><text x="1" fill="#000" paint-order="stroke" stroke="#fff" stroke-width="3">a</text></svg>',
  );
  expect(drawn).toBe(
    '<svg><text x="1" fill="#fff" stroke="#fff" stroke-width="3">a</text><text x="1" fill="#000">a</text></svg>',
  );
});
