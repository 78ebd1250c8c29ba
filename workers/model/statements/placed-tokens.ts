import { isComment, partsOf, type StatementLanguage } from './statement-text.ts';

/** A token of an SQL text with its position. Comments are left out. */
export interface PlacedToken {
  /** word: an unquoted name or keyword; name: in "…", `…` or […]; table: {name}. */
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'parameter' | 'table';
  /** A word in lower case; a name, text, parameter or table without its signs; a number or sign as written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const inCode =
  /([\p{L}_][\p{L}\p{N}_$#]*)|(\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)|->>|->|#>>|#>|@>|<@|\?\||\?&|\?\?|::|:=|<=>|<=|>=|<>|!=|=>|\|\||\S/giu;
/** Prefixes of texts: N'…', E'…', B'…', X'…', U&'…'. */
const prefix = /^[nebx]$/;

/** The tokens of an SQL text as its language quotes them. An unclosed quoted part extends to the end. */
export function placedTokens(text: string, language: StatementLanguage): readonly PlacedToken[] {
  const quotesTexts = language.quoting?.includes('backslash') ?? false;
  const tokens: PlacedToken[] = [];
  let at = 0;
  for (const part of partsOf(text, language)) {
    const start = at;
    if (part.kind === 'parameter' || part.kind === 'table') {
      at += part.name.length + (part.kind === 'parameter' ? 1 : 2);
      tokens.push({ kind: part.kind, text: part.name, start, end: at });
      continue;
    }
    at += part.text.length;
    if (part.kind === 'code') {
      for (const { 0: found, 1: word, 2: number, index } of part.text.matchAll(inCode))
        tokens.push({
          kind: word !== undefined ? 'word' : number !== undefined ? 'number' : 'sign',
          text: word === undefined ? found : found.toLowerCase(),
          start: start + index,
          end: start + index + found.length,
        });
      continue;
    }
    if (isComment(part.text)) continue;
    const sign = part.text[0]!;
    const isName = sign === '`' || sign === '[' || (sign === '"' && !quotesTexts);
    const before = tokens.at(-1);
    if (!isName && before?.kind === 'word' && before.end === start && prefix.test(before.text)) tokens.pop();
    tokens.push({ kind: isName ? 'name' : 'text', text: unquoted(part.text), start, end: at });
  }
  return tokens;
}

function unquoted(quoted: string): string {
  const open = quoted[0]!;
  if (open === '$') return quoted.replace(/^\$\w*\$|\$\w*\$$/g, '');
  const close = open === '[' ? ']' : open;
  return quoted.slice(1, quoted.endsWith(close) ? -1 : undefined).replaceAll(close + close, close);
}

/** The index behind the bracket that closes the one at `open`; the number of tokens where none does. */
export function behindBracket(tokens: readonly PlacedToken[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (tokens[i]!.kind !== 'sign') continue;
    if (tokens[i]!.text === '(') depth++;
    else if (tokens[i]!.text === ')' && --depth === 0) return i + 1;
  }
  return tokens.length;
}

/** True if a token is one of these unquoted words. */
export const isOneOf = (token: PlacedToken | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text);

/** True if a token is this sign. */
export const isSign = (token: PlacedToken | undefined, sign: string): boolean =>
  token?.kind === 'sign' && token.text === sign;

/** The parts of tokens between commas outside of brackets. */
export function betweenCommas(tokens: readonly PlacedToken[]): readonly (readonly PlacedToken[])[] {
  const parts: PlacedToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSign(token, '(')) depth++;
    if (isSign(token, ')')) depth--;
    if (depth === 0 && isSign(token, ',')) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts.filter((part) => part.length > 0);
}
