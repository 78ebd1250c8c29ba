/**
 * Markup without style attributes, and the rules of the classes that take their place: a content security policy allows
 * one style sheet by its hash, and no attribute. Charts' own style sheets are left out; they say what happens under the
 * pointer, which a report does not follow. Data is not touched: escaped, it holds no quotes and no tags.
 */
export function withoutInlineStyles(markup: string): { readonly markup: string; readonly rules: string } {
  const classes = new Map<string, string>();
  const classOf = (style: string): string => {
    const name = classes.get(style) ?? `s${classes.size + 1}`;
    classes.set(style, name);
    return name;
  };
  const changed = markup
    .replaceAll(/<style\s*>\s*<!\[CDATA\[.*?\]\]>\s*<\/style>/gs, '')
    .replaceAll(/<[a-zA-Z][^<>]*?\sstyle="[^"<>]*"[^<>]*>/g, (tag) => withClass(tag, classOf));
  return { markup: changed, rules: [...classes].map(([style, name]) => `.${name}{${style}}\n`).join('') };
}

function withClass(tag: string, classOf: (style: string) => string): string {
  const [attribute = '', escaped = ''] = /\sstyle="([^"]*)"/.exec(tag) ?? [];
  const style = unescaped(escaped);
  const rest = tag.replace(attribute, '');
  // Neither can be in an attribute of ours, and would end the rule or the sheet.
  if (/[{}<]/.test(style)) return rest;
  const name = classOf(style);
  return / class="/.test(rest)
    ? rest.replace(/ class="([^"]*)"/, ` class="$1 ${name}"`)
    : rest.replace(/^<[\w:-]+/, (begin) => `${begin} class="${name}"`);
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
