import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './markdown.tsx';

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

test('paragraphs, emphasis and code', () => {
  expect(html('One *two*\n**three** `a*b`.\n\nFour.')).toBe(
    '<div class="markdown"><p>One <em>two</em> <strong>three</strong> <code>a*b</code>.</p><p>Four.</p></div>',
  );
});

test('tables with bars in their cells', () => {
  expect(html('| a | b |\n|---|---|\n| x \\| y | |')).toContain('<tr><td>x | y</td><td></td></tr>');
});

test('lists go on in indented lines, and may hold lists', () => {
  expect(html('- one\n  more\n- two\n  - three')).toContain(
    '<ul><li><span>one more</span></li><li><span>two</span><ul><li><span>three</span></li></ul></li></ul>',
  );
});

test('code keeps its lines, and is not read as anything else', () => {
  expect(html('```yaml\n# a\n- b: **c**\n```')).toContain('<code># a\n- b: **c**</code>');
});

test('comments, pictures and markup are no text of the page', () => {
  expect(html('<!-- begin x -->\n![a](b.png)\nText <b>')).toBe('<div class="markdown"><p>Text &lt;b&gt;</p></div>');
});
