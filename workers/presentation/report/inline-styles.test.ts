import { expect, test } from 'vitest';
import { withoutInlineStyles } from './inline-styles.ts';

test('equal style attributes become one class, beside a class that is there', () => {
  const { markup, rules } = withoutInlineStyles(
    '<p style="color:red">a</p><b class="x" id="b" style="color:red">b</b><i style="font-family:&quot;A B&quot;"/>',
  );
  expect(markup).toBe('<p class="s1">a</p><b class="x s1" id="b">b</b><i class="s2"/>');
  expect(rules).toBe('.s1{color:red}\n.s2{font-family:"A B"}\n');
});

test('text stays as it is, and no attribute ends the style sheet', () => {
  const text = '<p>&lt;b style=&quot;color:red&quot;&gt; style=&quot;x&quot;</p>';
  expect(withoutInlineStyles(text)).toEqual({ markup: text, rules: '' });
  expect(withoutInlineStyles('<p style="}&lt;/style>">a</p>').rules).toBe('');
  expect(withoutInlineStyles('<p style="a:b}*{c:d">a</p>')).toEqual({ markup: '<p>a</p>', rules: '' });
});
