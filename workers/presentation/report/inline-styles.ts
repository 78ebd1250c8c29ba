/**
 * Moves style attributes into rules of classes, because a content security policy can allow a style sheet by its hash,
 * but no attribute. The style sheets of charts are left out; they style hover effects, which a report does not have.
 * Data is not changed, because escaped data contains neither quotes nor tags.
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
  // These characters would end the rule or the sheet, and attributes of the charts never contain them.
  if (/[{}<]/.test(style)) return rest;
  const name = classOf(style);
  return / class="/.test(rest)
    ? rest.replace(/ class="([^"]*)"/, ` class="$1 ${name}"`)
    : rest.replace(/^<[\w:-]+/, (begin) => `${begin} class="${name}"`);
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
