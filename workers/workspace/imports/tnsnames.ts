import type { Found } from './found.ts';

/** Keywords of Net Services nest five levels deep; a deeper file is not a tnsnames.ora. */
const mostDepth = 20;
/** Maximum length of a descriptor, which is the limit of a saved connection. */
const mostLength = 16_000;
/** Nobody picks from more entries. */
const mostNames = 1_000;

/** The net service names of a tnsnames.ora, each with its whole descriptor (Net Services Reference, "Local Naming"). */
export function tnsNames(text: string): readonly Found[] {
  const plain = text.split('\n').map(withoutComment).join('\n');
  const found: Found[] = [];
  let at = 0;
  while (found.length < mostNames) {
    const equals = plain.indexOf('=', at);
    if (equals < 0) return found;
    const head = plain.slice(at, equals).trim().split('\n').at(-1)?.trim() ?? '';
    const open = firstThatIsNoBlank(plain, equals + 1);
    // IFILE = path, and other lines without a descriptor.
    if (plain[open] !== '(') {
      const end = plain.indexOf('\n', equals);
      if (/^ifile$/i.test(head)) found.push(problemOf(head, 'Files that a tnsnames.ora includes are not read.'));
      if (end < 0) return found;
      at = end + 1;
      continue;
    }
    const close = closing(plain, open);
    if (close < 0) return [...found, problemOf(head, 'Its parentheses do not match.')];
    const connectString = plain.slice(open, close + 1).replaceAll(/\s+/g, '');
    const names = head.split(',', mostNames).map((one) => one.trim());
    if (connectString.length > mostLength) found.push(problemOf(head, 'It is longer than connections are.'));
    else
      for (const name of names)
        if (name !== '')
          found.push({
            name,
            engine: 'oracle',
            values: { connectString },
            passwords: { password: null },
            notes: ['The file names no user: complete the connection after the import.'],
            problem: null,
          });
    at = close + 1;
  }
  return found;
}

/** A comment begins a line, or follows a descriptor's last parenthesis. */
function withoutComment(line: string): string {
  const at = line.indexOf('#');
  const isComment = at >= 0 && (line.slice(0, at).trim() === '' || !/[()]/.test(line.slice(at)));
  return isComment ? line.slice(0, at) : line;
}

const problemOf = (name: string, problem: string): Found => ({
  name,
  engine: 'oracle',
  values: {},
  passwords: {},
  notes: [],
  problem,
});

function firstThatIsNoBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at++;
  return at;
}

/** Position of the parenthesis that closes the one at `open`; −1 if there is none, or they nest too deep. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(' && ++depth > mostDepth) return -1;
    if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}
