/** The features of a dialect that change how a text is divided into tokens. */
export interface Lexing {
  /** [name] */
  readonly brackets: boolean;
  /** Comments within comments. */
  readonly nested: boolean;
}

const tokenAtOnce =
  /\s+|--[^\n]*|(?:N|X|HEXTORAW)?'(?:[^']|'')*'|"(?:[^"]|"")*"|0x[0-9a-f]*|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[\p{L}_@#:][\p{L}\p{N}_@#$]*|<>|[<>!:+*/|-]=|\|\||./isuy;

/**
 * A text taken apart the slow and obvious way: words, numbers, quoted texts, comments and signs, each as it is written.
 */
export function sqlTokens(text: string, { brackets, nested }: Lexing): readonly string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.startsWith('/*', at)
      ? commentEnd(text, at, nested)
      : brackets && text[at] === '['
        ? bracketEnd(text, at)
        : at;
    tokenAtOnce.lastIndex = at;
    const token = end > at ? text.slice(at, end) : tokenAtOnce.exec(text)![0];
    if (token.trim() !== '') tokens.push(token);
    at += token.length;
  }
  return tokens;
}

function commentEnd(text: string, from: number, nested: boolean): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const pair = text.slice(at, at + 2);
    if (pair !== '*/' && (pair !== '/*' || (depth > 0 && !nested))) continue;
    depth += pair === '/*' ? 1 : -1;
    if (depth === 0) return at + 2;
    at++;
  }
  return text.length;
}

function bracketEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] !== ']') continue;
    if (text[at + 1] !== ']') return at + 1;
    at++;
  }
  return text.length;
}

export const isComment = (token: string): boolean => token.startsWith('--') || token.startsWith('/*');
