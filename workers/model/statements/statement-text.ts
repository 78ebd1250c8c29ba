import { type JsonPiece, looksLikeRequest, piecesOf, requestOf } from './json-request.ts';

/** What an SQL dialect quotes beyond '…', "…", -- and C comments. */
type Quoting =
  | 'backslash' // '\'' within '…' and "…" (MySQL)
  | 'eString' // the same within E'…' (PostgreSQL)
  | 'backtick' // `name`
  | 'bracket' // [name]
  | 'dollar' // $tag$…$tag$
  | 'qString' // q'[…]'
  | 'hash' // # begins a comment, and -- only before a space
  | 'nested'; // comments within comments

/** Reserved words by which a statement is known to begin outside of brackets and blocks, in lower case. */
export interface StatementBeginnings {
  readonly words: readonly string[];
  /** Behind these they go on with the statement that they stand in. */
  readonly notBehind: readonly string[];
  /**
   * By the word that a statement begins with: the words that it has within, of which the first goes on by its own rule.
   * Others are not looked into.
   */
  readonly within: Readonly<Record<string, readonly string[]>>;
}

/** How statements are written for an engine. */
export interface StatementLanguage {
  /** rql: queries in it, or requests in JSON (json-request.ts). */
  readonly language: 'sql' | 'json' | 'rql';
  readonly quoting?: readonly Quoting[];
  /**
   * Texts that are one statement to their end, semicolons and all, as definitions of procedures are: a pattern of the
   * words that they begin with, in lower case, each behind one space. Only where the server itself takes one statement
   * at a time, or such a definition reaches to the end of what is sent.
   */
  readonly wholeTexts?: string;
  /**
   * BEGIN … END holds several statements that are one: where BEGIN stands before one of these words, or before none of
   * those. Absent: there is no such thing.
   */
  readonly blocks?: { readonly onlyBefore?: readonly string[]; readonly notBefore?: readonly string[] };
  /** Where statements need no semicolon between them: what begins one. */
  readonly beginnings?: StatementBeginnings;
  /** The server refuses a semicolon at the end of a statement. */
  readonly refusesSemicolon?: true;
  /** A rollback undoes the definition of tables, too. */
  readonly undoesDdl?: boolean;
  /** The dialect that an editor colours by; absent: standard SQL, or none. */
  readonly highlight?: 'PostgreSQL' | 'MySQL' | 'MSSQL' | 'SQLite' | 'PLSQL';
}

/** A text in pieces: code, what is quoted (comments included), parameters by name, and places of tables: {name}. */
type TextPart =
  | { readonly kind: 'code' | 'quoted'; readonly text: string }
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'table'; readonly name: string };

const placeAtOnce = /\{([a-z][a-z0-9_]{0,29})\}/y;

/** The table that a string of a JSON command stands for; null: it stands for itself. */
export const tableOfString = (text: string): string | null => /^\{([a-z][a-z0-9_]{0,29})\}$/.exec(text)?.[1] ?? null;

const identifierStart = /[A-Za-z_]/;
const identifierRest = /[A-Za-z0-9_]*/y;

/** Takes SQL or RQL apart. What is not closed reaches to the end: the server says so better. */
export function partsOf(text: string, { language, quoting = [] }: StatementLanguage): readonly TextPart[] {
  const parts: TextPart[] = [];
  const sign = language === 'rql' ? '$' : ':';
  let code = '';
  const flush = () => {
    if (code !== '') parts.push({ kind: 'code', text: code });
    code = '';
  };
  for (let at = 0; at < text.length; ) {
    const end = language === 'rql' ? rqlQuoteEnd(text, at) : quoteEnd(text, at, quoting);
    if (end > at) {
      flush();
      parts.push({ kind: 'quoted', text: text.slice(at, end) });
      at = end;
      continue;
    }
    placeAtOnce.lastIndex = at;
    const place = placeAtOnce.exec(text);
    if (place) {
      flush();
      parts.push({ kind: 'table', name: place[1]! });
      at += place[0].length;
      continue;
    }
    // A cast: the second colon begins no name.
    if (sign === ':' && text.startsWith('::', at)) {
      code += '::';
      at += 2;
      continue;
    }
    if (text[at] === sign && identifierStart.test(text[at + 1] ?? '') && !/[\w$]/.test(text[at - 1] ?? '')) {
      identifierRest.lastIndex = at + 1;
      const name = identifierRest.exec(text)![0];
      flush();
      parts.push({ kind: 'parameter', name });
      at += 1 + name.length;
      continue;
    }
    code += text[at];
    at++;
  }
  flush();
  return parts;
}

const endOf = (text: string, what: string, from: number): number => {
  const found = text.indexOf(what, from);
  return found === -1 ? text.length : found + what.length;
};

function rqlQuoteEnd(text: string, at: number): number {
  if (text.startsWith('//', at)) return endOf(text, '\n', at);
  if (text.startsWith('/*', at)) return endOf(text, '*/', at + 2);
  const quote = text[at]!;
  return quote === "'" || quote === '"' ? closing(text, at, quote, true) : at;
}

/** Where what begins here ends, if it is quoted; else `at`. */
function quoteEnd(text: string, at: number, quoting: readonly Quoting[]): number {
  const has = (one: Quoting) => quoting.includes(one);
  const char = text[at]!;
  const next = text[at + 1] ?? '';
  const before = text[at - 1] ?? '';
  if (char === '-' && next === '-' && (!has('hash') || /^\s?$/.test(text[at + 2] ?? ''))) return endOf(text, '\n', at);
  if (char === '#' && has('hash')) return endOf(text, '\n', at);
  if (char === '/' && next === '*') return commentEnd(text, at, has('nested'));
  if (char === "'") {
    if (has('qString') && /q/i.test(before) && !/[\w$]/.test((text[at - 2] ?? '').replace(/n/i, '')))
      return endOf(text, `${matching(next)}'`, at + 2);
    const escapes = has('backslash') || (has('eString') && /e/i.test(before) && !/[\w$]/.test(text[at - 2] ?? ''));
    return closing(text, at, "'", escapes);
  }
  if (char === '"') return closing(text, at, '"', has('backslash'));
  if (char === '`' && has('backtick')) return closing(text, at, '`', false);
  if (char === '[' && has('bracket')) return closing(text, at, ']', false);
  if (char === '$' && has('dollar') && !/[\w$]/.test(before)) {
    const tag = /^\$([A-Za-z_]\w*)?\$/.exec(text.slice(at, at + 70))?.[0];
    if (tag) return endOf(text, tag, at + tag.length);
  }
  return at;
}

const matching = (open: string): string => ({ '[': ']', '(': ')', '{': '}', '<': '>' })[open] ?? open;

/** Behind the closing quote; one that is written twice does not close. */
function closing(text: string, at: number, quote: string, escapes: boolean): number {
  for (let i = at + 1; i < text.length; i++) {
    if (escapes && text[i] === '\\') i++;
    else if (text[i] === quote) {
      if (text[i + 1] !== quote) return i + 1;
      i++;
    }
  }
  return text.length;
}

function commentEnd(text: string, at: number, nested: boolean): number {
  if (!nested) return endOf(text, '*/', at + 2);
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text.startsWith('/*', i)) depth++;
    else if (text.startsWith('*/', i)) depth--;
    else continue;
    i++;
    if (depth === 0) return i + 1;
  }
  return text.length;
}

/** The words of the code, in lower case. */
export const wordsOf = (parts: readonly TextPart[]): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'code' ? (part.text.toLowerCase().match(/[a-z_][a-z0-9_$]*/g) ?? []) : []));

/** Whether a text is to be one of RavenDB's requests, and no query. */
export const isRequest = (text: string, { language }: StatementLanguage): boolean =>
  language === 'rql' && looksLikeRequest(text);

/** What a request has places for, each name once. */
function namesIn(text: string, kinds: readonly JsonPiece['kind'][]): readonly string[] {
  const pieces = [...piecesOf(requestOf(text)?.body ?? {})];
  return [...new Set(pieces.flatMap((piece) => (kinds.includes(piece.kind) ? [piece.text] : [])))];
}

/**
 * Names of the parameters in a text, each once. Of a MongoDB command: the strings "$name", where `declared` has the
 * name, and {"$param": "name"}.
 */
export function parametersIn(
  text: string,
  language: StatementLanguage,
  declared: readonly string[],
): readonly string[] {
  if (language.language === 'json') {
    const found = [...text.matchAll(/"\$param"\s*:\s*"([A-Za-z_]\w*)"/g)].map(([, name]) => name!);
    return [...new Set([...found, ...declared.filter((name) => text.includes(`"$${name}"`))])];
  }
  if (isRequest(text, language)) return namesIn(text, ['value', 'within']);
  const names = partsOf(text, language).flatMap((part) => (part.kind === 'parameter' ? [part.name] : []));
  return [...new Set(names)];
}

/** Names of the tables in a text, each once. Of a MongoDB command: the strings "{name}". */
export function tablesIn(text: string, language: StatementLanguage): readonly string[] {
  if (isRequest(text, language)) return namesIn(text, ['table']);
  const found =
    language.language === 'json'
      ? [...text.matchAll(/"\{([a-z][a-z0-9_]{0,29})\}"/g)].map(([, name]) => name!)
      : partsOf(text, language).flatMap((part) => (part.kind === 'table' ? [part.name] : []));
  return [...new Set(found)];
}
