import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
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
    '<ul><li>one more</li><li>two<ul><li>three</li></ul></li></ul>',
  );
});

test('code keeps its lines, and is not read as anything else', () => {
  expect(html('```yaml\n# a\n- b: **c**\n```')).toContain('<code># a\n- b: **c**</code>');
});

test('numbered lists keep their numbers', () => {
  expect(html('1. *one*\n2. two')).toContain('<ol><li><em>one</em></li><li>two</li></ol>');
});

test('comments, pictures and markup are no text of the page', () => {
  expect(html('<!-- begin x -->\n![a](b.png)\n\nText <b>')).toBe('<div class="markdown"><p>Text &lt;b&gt;</p></div>');
});

test('hostile texts make no element of their own and no link', () => {
  const links = ['[a](javascript:alert(1))', '<https://evil.example>', 'www.evil.example', '[b]: data:x\n\n[b]'];
  for (const text of [
    '<script>alert(1)</script>',
    'x <img src=x onerror=alert(1)>',
    '![p](http://evil/x.png)',
    ...links,
  ]) {
    const drawn = renderToStaticMarkup(<Markdown text={text} onLink={vi.fn()} />);
    expect(drawn.replaceAll(/<\/?(div|p)( class="markdown")?>/g, '')).not.toMatch(/<|href|src="/);
  }
});

test('a link within the documentation is a button', () => {
  const onLink = vi.fn();
  expect(renderToStaticMarkup(<Markdown text="[b](other.md#c)" onLink={onLink} />)).toMatch(/<button[^>]*>b<\/button>/);
  expect(onLink).not.toHaveBeenCalled();
});
