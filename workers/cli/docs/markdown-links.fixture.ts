import { lexer, walkTokens } from 'marked';

/** A link to a file of the project; the path is empty for a link within the same file. */
interface RelativeLink {
  readonly path: string;
  readonly anchor: string;
}

/** The relative links and images of a Markdown text. */
export function linksOf(markdown: string): readonly RelativeLink[] {
  const targets: string[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(token.href);
  });
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { path, anchor };
    });
}

/** The anchors that GitHub gives the headings of a Markdown text: lower case, no punctuation, hyphens for spaces. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const token of lexer(markdown)) {
    if (token.type !== 'heading') continue;
    const anchor = token.text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let numbered = anchor;
    for (let n = 1; anchors.has(numbered); n++) numbered = `${anchor}-${n}`;
    anchors.add(numbered);
  }
  return anchors;
}
