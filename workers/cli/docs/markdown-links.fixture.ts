/** A link to a file of the project; the path is empty for a link within the same file. */
interface RelativeLink {
  readonly path: string;
  readonly anchor: string;
}

/** The relative links and images of a Markdown text, outside of code. */
export const linksOf = (markdown: string): readonly RelativeLink[] =>
  [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { path, anchor };
    });

/** The anchors that GitHub gives the headings of a Markdown text: lower case, no punctuation, hyphens for spaces. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let numbered = anchor;
    for (let n = 1; anchors.has(numbered); n++) numbered = `${anchor}-${n}`;
    anchors.add(numbered);
  }
  return anchors;
}

const withoutBlocks = (markdown: string): string => markdown.replaceAll(/^```[\s\S]*?^```/gm, '');
const withoutCode = (markdown: string): string => withoutBlocks(markdown).replaceAll(/`[^`\n]*`/g, '');
