/** A part of a document between two headings. */
export interface Passage {
  /** The name of the document: `reading-results`. */
  readonly document: string;
  /** The title of the document. */
  readonly about: string;
  readonly title: string;
  /** The heading as an anchor within the document. */
  readonly slug: string;
  /** The text below the heading, up to the next heading. */
  readonly text: string;
}

/** A topic of the help: a heading, or a term that a table or a text of the document explains. */
export interface Topic {
  readonly document: string;
  readonly term: string;
  /** True if the term is a key of the file that a table explains. */
  readonly isKey?: boolean;
}

/** The anchor of a heading, as links in the documents use it. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Splits a document into its passages. */
export function passagesOf(document: string, text: string): readonly Passage[] {
  const found: { title: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const title = isCode ? undefined : /^#{1,4}\s+(?<title>.+)$/.exec(line)?.groups?.title;
    if (title !== undefined) found.push({ title: title.replaceAll('`', ''), lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  const about = found[0]?.title ?? document;
  return found.map(({ title, lines }) => ({
    document,
    about,
    title,
    slug: slugOf(title),
    text: lines.join('\n').trim(),
  }));
}

const plain = (text: string): string => text.replaceAll(/[`*]/g, '').replaceAll('’', "'").trim();

/** True if a table row explains a term: one of its first two cells is the term, or lists it. */
export function explains(cells: readonly string[], term: string): boolean {
  const wanted = plain(term).toLowerCase();
  return cells.slice(0, 2).some((cell) => {
    const words = plain(cell).toLowerCase();
    return words === wanted || [...words.split('; '), ...words.split(', ')].includes(wanted);
  });
}

const hasRow = ({ text }: Passage, term: string): boolean =>
  text.split('\n').some((line) => line.startsWith('|') && explains(line.split('|').slice(1, -1).map(plain), term));

/**
 * The passage of a topic: its own heading, or else a passage that names it in emphasis, or else the table that lists
 * it. Null if there is none.
 */
export function passageAbout(all: readonly Passage[], { document, term, isKey = false }: Topic): Passage | null {
  const own = all.filter((one) => one.document === document);
  const name = plain(term);
  const headed = own.find(({ slug, title }) => slug === term || plain(title) === name);
  const told = own.find(({ text }) => text.includes(`**${name}`) || text.includes(`*${name}*`));
  const listed = own.find((one) => hasRow(one, term));
  return (
    headed ??
    (isKey ? (listed ?? told) : (told ?? listed)) ??
    own.find(({ text }) => text.includes(`<!-- begin ${term} -->`)) ??
    // A title that ends with a name of the experiment, such as "Throughput over Rows per call".
    own.find((one) => beginnings(name).some((words) => hasRow(one, words))) ??
    null
  );
}

/** A title without its last word, its last two, and so on. */
const beginnings = (title: string): readonly string[] => {
  const words = title.split(' ');
  return words.slice(1).map((_, cut) => words.slice(0, words.length - 1 - cut).join(' '));
};

/** The passages that contain every word. Passages with the words in the title come first. */
export function search(all: readonly Passage[], words: string): readonly Passage[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const rank = ({ title, text }: Passage): number => {
    const [head, body] = [title.toLowerCase(), text.toLowerCase()];
    if (!wanted.every((word) => head.includes(word) || body.includes(word))) return -1;
    return wanted.filter((word) => head.includes(word)).length;
  };
  return all
    .map((passage) => ({ passage, rank: rank(passage) }))
    .filter((one) => one.rank >= 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ passage }) => passage);
}

/** The text around the first match in a passage. */
export function snippet({ text }: Passage, words: string): string {
  const whole = plain(text.replaceAll(/<!--[\s\S]*?-->/g, ' ').replaceAll(/[|\s]+/g, ' '));
  const [first = ''] = words.toLowerCase().split(/\s+/).filter(Boolean);
  const start = Math.max(0, whole.toLowerCase().indexOf(first) - 40);
  return `${start > 0 ? '…' : ''}${whole.slice(start, start + 140)}${start + 140 < whole.length ? '…' : ''}`;
}
