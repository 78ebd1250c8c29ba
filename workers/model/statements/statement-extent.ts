import { isComment, partsOf, type StatementLanguage } from './statement-text.ts';

/** The end of the first statement in an SQL text, and the next statement. */
export interface StatementExtent {
  /** Position of its semicolon, or the text's length. */
  readonly end: number;
  /** The line of the next statement, counted from 1, and its first words. Null: there is none. */
  readonly next: { readonly line: number; readonly words: string } | null;
}

interface Token {
  /** A word in lower case; a sign; `'` for a quoted part, `:` for a parameter, `{` for a table. */
  readonly text: string;
  readonly at: number;
}

const isWord = ({ text }: Token): boolean => /^[\p{L}_@#]/u.test(text);

/** The words, variables and relevant signs, without comments. */
function tokensOf(text: string, language: StatementLanguage): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const part of partsOf(text, language)) {
    if (part.kind === 'parameter' || part.kind === 'table') {
      tokens.push({ text: part.kind === 'parameter' ? ':' : '{', at });
      at += part.name.length + (part.kind === 'parameter' ? 1 : 2);
      continue;
    }
    if (part.kind === 'code')
      for (const { 0: found, index } of part.text.matchAll(/[\p{L}_@#][\p{L}\p{N}_@#$]*|\S/gu))
        tokens.push({ text: found.toLowerCase(), at: at + index });
    else if (!isComment(part.text)) tokens.push({ text: "'", at });
    at += part.text.length;
  }
  return tokens;
}

/**
 * Finds the end of a text's first statement, and the next statement. Semicolons within quotes, comments, brackets and
 * blocks end no statement, and an empty statement does not count. A text that is not SQL is one statement, and so is a
 * batch.
 */
export function extentOf(text: string, language: StatementLanguage): StatementExtent {
  const whole = { end: text.length, next: null };
  if (language.language !== 'sql') return whole;
  const tokens = tokensOf(text, language);
  const first = tokens.findIndex((token) => token.text !== ';');
  if (first === -1 || isWhole(tokens.slice(first), language) || isBatch(tokens, language)) return whole;
  const { blocks, beginnings } = language;
  const isBlock = (i: number) => {
    const next = tokens[i + 1]?.text ?? '';
    return tokens[i]!.text === 'begin' && (blocks?.onlyBefore?.includes(next) ?? !blocks?.notBefore?.includes(next));
  };
  const ruleOf = (word: string) =>
    beginnings && Object.hasOwn(beginnings.within, word) ? beginnings.within[word] : undefined;
  let within = isBlock(first) ? undefined : ruleOf(tokens[first]!.text);
  let depth = 0;
  let end: number | null = null;
  let behindBlock = false;
  const open: ('block' | 'case')[] = [];
  for (let i = first; i < tokens.length; i++) {
    const { text: word, at } = tokens[i]!;
    if (end !== null && word !== ';') {
      // The branches of an IF also contain semicolons.
      if (!blocks || word !== 'else') return { end, next: placeOf(text, at) };
      end = null;
    }
    if (word === '(') depth++;
    else if (word === ')') depth = Math.max(0, depth - 1);
    if (depth > 0) continue;
    if (i > first && open.length === 0 && beginnings?.words.includes(word)) {
      const isNext = within && !beginnings.notBehind.includes(tokens[i - 1]!.text) && !within.includes(word);
      if (isNext || behindBlock) return { end: at, next: placeOf(text, at) };
      if (within?.includes(word)) within = ruleOf(word);
    }
    behindBlock = false;
    if (word === ';' && open.length === 0) end ??= at;
    if (!blocks) continue;
    if (isBlock(i)) open.push('block');
    // Outside blocks, `case` may be a column name or an expression without semicolons.
    else if (word === 'case' && open.length > 0) open.push('case');
    else if (word === 'end') behindBlock = open.pop() === 'block' && open.length === 0;
  }
  return { end: end ?? text.length, next: null };
}

/** The most words at the beginning of a `wholeTexts` statement, before its first bracket. */
const mostBeginning = 12;

const isWhole = (tokens: readonly Token[], { wholeTexts }: StatementLanguage): boolean =>
  wholeTexts !== undefined && new RegExp(wholeTexts).test(beginningOf(tokens));

/** The words before the first bracket or semicolon, in lower case, separated by a space. */
function beginningOf(tokens: readonly Token[]): string {
  const bracket = tokens.findIndex(({ text }) => text === '(' || text === ';');
  const beginning = tokens.slice(0, bracket === -1 ? mostBeginning : Math.min(bracket, mostBeginning)).filter(isWord);
  return beginning.map(({ text }) => text).join(' ');
}

/** The first words of an SQL text in lower case, separated by a space: at most twelve, none after a bracket. */
export function firstWordsOf(text: string, language: StatementLanguage): string {
  const tokens = tokensOf(text, language);
  const first = tokens.findIndex((token) => token.text !== ';');
  return first === -1 ? '' : beginningOf(tokens.slice(first));
}

/** The statements of an SQL text, without the semicolons between them; comments belong to the statement after them. */
export function statementsOf(text: string, language: StatementLanguage, most = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== '' && found.length < most; ) {
    const { end } = extentOf(rest, language);
    const one = rest.slice(0, end).replace(/^[\s;]+|\s+$/g, '');
    if (hasCode(one, language)) found.push(one);
    // A semicolon is skipped; a statement that ends without one is followed directly by the next.
    rest = rest.slice(rest[end] === ';' ? end + 1 : end);
  }
  return found;
}

/** True if a text has more than comments and semicolons. */
export const hasCode = (text: string, language: StatementLanguage): boolean =>
  tokensOf(text, language).some((token) => token.text !== ';');
/** True if a server with batches must receive the text whole, because of variables or control flow. */
const isBatch = (tokens: readonly Token[], { batches }: StatementLanguage): boolean =>
  batches === true &&
  tokens.some(({ text }, i) => {
    const before = (back: number) => tokens[i - back]?.text;
    const next = tokens[i + 1]?.text ?? '';
    switch (text) {
      case 'declare':
        return next.startsWith('@');
      case 'while':
        return true;
      case 'try':
        return before(1) === 'begin';
      case 'if':
        // DROP TABLE IF EXISTS, ALTER TABLE … DROP COLUMN IF EXISTS.
        return before(2) !== 'drop';
      default:
        return false;
    }
  });

/** True if a text is one statement because it is a batch (StatementLanguage.batches). */
export const isBatchText = (text: string, language: StatementLanguage): boolean =>
  isBatch(tokensOf(text, language), language);

const placeOf = (text: string, at: number): StatementExtent['next'] => ({
  line: text.slice(0, at).split('\n').length,
  words: text.slice(at).split('\n', 1)[0]!.slice(0, 40).trim(),
});
