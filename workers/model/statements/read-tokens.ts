import { partsOf, type StatementLanguage } from './statement-text.ts';

/** A part of a text that all lexers of its engine tokenize alike. */
export interface ReadToken {
  /**
   * word: unquoted; name: in "…", `…` or […]; text: in '…' or $$…$$; comments are left out. With another server
   * setting, "…" may be a text.
   */
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'parameter' | 'variable' | 'table';
  /** A word in lower case, with non-ASCII letters folded as other lexers may fold them. */
  readonly text: string;
  /** The word as written in the text. */
  readonly written: string;
}

/** Thrown internally with the reason, as a sentence, why a text has no certain tokens. */
class Unclear extends Error {}

const unclear = (why: string): never => {
  throw new Unclear(why);
};

/**
 * The tokens of an SQL text, or a sentence if they are uncertain, because versions and settings of the server
 * (standard_conforming_strings, sql_mode, nested comments, characters that some treat as spaces) tokenize the text
 * differently. Pure.
 */
export function readTokens(text: string, language: StatementLanguage): readonly ReadToken[] | string {
  try {
    const tokens = scan(text, language);
    // Dyno's own parser substitutes parameters, so both parsers must find the same ones.
    const ours = tokens.flatMap(({ kind, written }) => (kind === 'parameter' || kind === 'table' ? [written] : []));
    const places = partsOf(text, language).flatMap((part) => ('name' in part ? [part.name] : []));
    if (ours.join() !== places.join()) unclear('Its parameters can be read in different ways.');
    return tokens;
  } catch (thrown) {
    if (thrown instanceof Unclear) return thrown.message;
    throw thrown;
  }
}

const wordAt = /[\p{L}_][\p{L}\p{N}_$#]*/uy;
/** The tokens with # as the start of a comment. */
const wordBeforeHashAt = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const numberAt = /(?:0x[0-9a-f]+|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/iy;
const tableAt = /\{([a-z][a-z0-9_]{0,29})\}/y;
const parameterAt = /:([A-Za-z_][A-Za-z0-9_]*)/y;
const variableAt = /@{1,2}[A-Za-z_][\w$]*/y;
const dollarTagAt = /\$(?:[A-Za-z_][A-Za-z0-9_]*)?\$/y;
const ownParameterAt = /\$\d+/y;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** A server may fold a non-ASCII letter to an ASCII letter: ſ is S, ı is I. */
const folded = (word: string): string => word.normalize('NFKC').toUpperCase().toLowerCase();

function scan(text: string, { quoting = [] }: StatementLanguage): readonly ReadToken[] {
  const has = (one: (typeof quoting)[number]) => quoting.includes(one);
  const tokens: ReadToken[] = [];
  const add = (kind: ReadToken['kind'], written: string, lower = written.toLowerCase()) =>
    tokens.push({ kind, text: lower, written });
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    const next = text[at + 1] ?? '';
    if (/[ \t\r\n]/.test(char)) {
      at++;
      continue;
    }
    const comment = commentAt(text, at, has('hash'));
    if (comment > at) {
      at = comment;
      continue;
    }
    const found = {
      word: matchAt(has('hash') ? wordBeforeHashAt : wordAt, text, at)?.[0],
      number: /[\d.]/.test(char) ? matchAt(numberAt, text, at)?.[0] : undefined,
    };
    if (found.word !== undefined) {
      const end = at + found.word.length;
      if (has('qString') && /^n?q$/i.test(found.word) && text[end] === "'") {
        at = qStringEnd(text, end);
        add('text', 'q');
        continue;
      }
      if (/^u$/i.test(found.word) && /^&['"]/.test(text.slice(end, end + 2)))
        unclear('Its escapes in U&… are not read here: write the characters themselves.');
      add('word', found.word, folded(found.word));
      at = end;
      continue;
    }
    if (found.number !== undefined && found.number !== '.') {
      at += found.number.length;
      if (/[\p{L}\p{N}_$#'"]/u.test(text[at] ?? ''))
        unclear(`Behind the number ${found.number} a word begins at once.`);
      add('number', found.number);
      continue;
    }
    if (char === "'" || char === '"' || (char === '`' && has('backtick')) || (char === '[' && has('bracket'))) {
      const escapes = has('backslash') || has('eString') || has('textBackslash');
      // LIKE 'a\%' ESCAPE '\', if no server setting makes a backslash an escape.
      const isEscape = !escapes && text.startsWith("'\\'", at) && tokens.at(-1)?.text === 'escape';
      const end = isEscape ? at + 3 : quotedEnd(text, at, char === '[' ? ']' : char);
      const isText = char === "'";
      if (isText && text.slice(at, end).includes('\\') && tokens.at(-1)?.kind === 'text')
        unclear('Its texts in quotes follow each other: a server may read a backslash in the second one as an escape.');
      add(isText ? 'text' : 'name', text.slice(at, end));
      at = end;
      continue;
    }
    const table = matchAt(tableAt, text, at);
    if (table) {
      add('table', table[1]!);
      at += table[0].length;
      continue;
    }
    if (text.startsWith('::', at)) {
      add('sign', '::');
      at += 2;
      continue;
    }
    const parameter = matchAt(parameterAt, text, at);
    if (parameter && !/[\w$]/.test(text[at - 1] ?? '')) {
      add('parameter', parameter[1]!);
      at += parameter[0].length;
      continue;
    }
    const variable = matchAt(variableAt, text, at);
    if (variable) {
      add('variable', variable[0]);
      at += variable[0].length;
      continue;
    }
    if (char === '$' && has('dollar')) {
      const own = matchAt(ownParameterAt, text, at)?.[0];
      if (own !== undefined) {
        add('variable', own);
        at += own.length;
        continue;
      }
      const tag = matchAt(dollarTagAt, text, at)?.[0];
      const end = tag === undefined ? -1 : text.indexOf(tag, at + tag.length);
      if (tag === undefined || end === -1) unclear('It has a $ that neither begins nor ends a quoted part.');
      add('text', '$');
      at = end + tag!.length;
      continue;
    }
    if (char === '#' && next !== '' && !has('hash') && /[\p{L}_#]/u.test(next)) {
      // A temporary table of SQL Server, or an operator of PostgreSQL: neither is a function.
      add('sign', '#');
      at++;
      continue;
    }
    if (!'()+-*/%,.;<>=!^&|~?:@#[]'.includes(char))
      unclear(`It has the character ${shown(char)} outside of quotes, which servers read in different ways.`);
    if (char === ':' && next === '=') unclear('It sets a variable (:=).');
    add('sign', char);
    at++;
  }
  return tokens;
}

const shown = (char: string): string =>
  /[!-~]/.test(char) ? char : `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** The end of a comment that begins here, otherwise `at`. */
function commentAt(text: string, at: number, hash: boolean): number {
  const isLine = text.startsWith('--', at);
  if (isLine && hash && !/^[ \t\n]?$/.test(text[at + 2] ?? ''))
    unclear('Its -- has no space behind it: to this server that is no comment.');
  if (isLine || (hash && text[at] === '#')) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found + 1;
    const line = text.slice(at, end);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these end a line for some servers
    if (/\r(?!\n)|[\u0000\u000b\u000c\u0085\u2028\u2029]/.test(line))
      unclear('A comment of it has a character that ends the line for some servers.');
    if (/-properties\b/i.test(line)) unclear('A comment of it gives the server properties to go by.');
    return end;
  }
  if (!text.startsWith('/*', at)) return at;
  const close = text.indexOf('*/', at + 2);
  if (close === -1) unclear('A comment of it has no end.');
  const comment = text.slice(at, close + 2);
  if (/^\/\*\s*[a-z]{0,4}!/i.test(comment)) unclear('It has a comment that a server carries out.');
  if (comment.includes('/*', 2)) unclear('It has a comment within a comment, which servers read in different ways.');
  if (/set_var/i.test(comment)) unclear('A hint in a comment of it sets a variable of the server.');
  if (comment.includes('\0')) unclear('A comment of it has a character that ends the text for some servers.');
  return close + 2;
}

/** The end of a quoted part, if it is the same with and without backslash escapes. */
function quotedEnd(text: string, at: number, quote: string): number {
  const plain = closingOf(text, at, quote, false);
  if (plain === -1) return unclear(`A quoted part of it (${text[at]}) has no end.`);
  const quoted = text.slice(at, plain);
  if (quoted.includes('\0')) unclear('A quoted part of it has a character that ends the text for some servers.');
  if (quote === ']' && quoted.includes(']]')) unclear('It has ]] within a name, which servers read in different ways.');
  if (quoted.includes('\\') && quote !== ']' && quote !== '`' && closingOf(text, at, quote, true) !== plain)
    unclear(
      'A backslash stands before a quote, where it depends on the server whether the quoted part ends: double the quote instead.',
    );
  return plain;
}

/** The position after the closing quote; -1: there is none. */
function closingOf(text: string, at: number, quote: string, escapes: boolean): number {
  for (let i = at + 1; i < text.length; i++) {
    if (escapes && text[i] === '\\') i++;
    else if (text[i] === quote) {
      if (text[i + 1] !== quote) return i + 1;
      i++;
    }
  }
  return -1;
}

const brackets: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' };

/** The end of Oracle's q'[…]', given the position of its quote. */
function qStringEnd(text: string, at: number): number {
  const open = text[at + 1] ?? '';
  const end = text.indexOf(`${brackets[open] ?? open}'`, at + 2);
  if (/^\s?$/.test(open) || end === -1) return unclear('A quoted part of it (q’…’) has no end.');
  return end + 2;
}
