import { lexer, parse, type Token, walkTokens } from 'marked';
import { expect, it } from 'vitest';
import { markdownText } from './markdown-text.ts';

const hostile = [
  '<img src=x onerror=alert(1)> </details><script>',
  '[a](javascript:alert(1)) ![b](https://x.example/y.png) https://x.example www.x.example a@b.example',
  '| a | b |',
  '# heading',
  '- item',
  '12. item',
  '+ item',
  '> quote',
  '```\ncode',
  '~~~',
  '---',
  '===',
  '**bold** _em_ ~~gone~~ `code` $x$ \\* &lt; &#60;',
  'one\n\n# two\n\u001b[31m::error::x',
  '_em_ __strong__ snake_case_name a__b _a b_ _ __init__ x_(y)_z (_a_) é_é_é',
];

/** The tokens of Markdown that are more than text in a paragraph. */
function structureIn(markdown: string): readonly string[] {
  const found: string[] = [];
  walkTokens(lexer(markdown), ({ type }: Token) => {
    if (!['paragraph', 'text', 'escape', 'space'].includes(type)) found.push(type);
  });
  return found;
}

it.each(hostile)('%j is text and nothing else in Markdown', (text) => {
  const written = markdownText(text);
  expect(structureIn(written)).toEqual([]);
  expect(structureIn(`| head |\n| --- |\n| ${written} |`)).toEqual(['table']);
  expect(structureIn(`- ${written}`)).toEqual(['list', 'list_item']);
  // Entities are those of the characters, so that a reader sees the text itself.
  const shown = decoded((parse(written, { async: false }) as string).replace(/^<p>|<\/p>\n$/g, ''));
  expect(shown.replaceAll('\u2060', '')).toBe(text.replaceAll(/\p{Cc}+/gu, ' '));
});

/** The text of HTML without elements. */
const decoded = (html: string): string =>
  html.replaceAll(/&#(\d+);|&(lt|gt|quot|amp);/g, (_, code?: string, name?: string) =>
    code === undefined ? named[name as keyof typeof named] : String.fromCodePoint(Number(code)),
  );
const named = { lt: '<', gt: '>', quot: '"', amp: '&' } as const;

it('mentions nobody and no issue, and leaves ordinary text as it is', () => {
  const joined = (text: string) => markdownText(text).replaceAll('&#8288;', '·');
  expect(joined('@octocat #12 :tada: !3 http://x a@b.c')).toBe(
    '&#64;·octocat &#35;·12 &#58;·tada: &#33;·3 http&#58;·//x a&#64;·b.c',
  );
  const ordinary = 'Connections: 8 is 2.7× (2.2–3.2×) as fast, at 08:00:00; 5 % of rows/s & more = "good"!';
  expect(markdownText(ordinary)).toBe(ordinary);
  expect(markdownText('read_by_key of _t and x_')).toBe('read_by_key of \\_t and x\\_');
});
