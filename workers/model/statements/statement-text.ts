import { type JsonPiece, looksLikeRequest, piecesOf, requestOf } from './json-request.ts';
import type { ReadRules } from './read-rules.ts';

/** The quotes of an SQL dialect in addition to '…', "…", -- and C comments. */
type Quoting =
  | 'backslash' // '\'' within '…' and "…" (MySQL)
  | 'textBackslash' // the same only within '…' (if "…" is a name)
  | 'eString' // the same within E'…' (PostgreSQL)
  | 'backtick' // `name`
  | 'bracket' // [name]
  | 'dollar' // $tag$…$tag$
  | 'qString' // q'[…]'
  | 'hash' // # begins a comment, and -- only before a space
  | 'nested'; // comments within comments

/** Reserved words, in lower case, that begin a statement outside of brackets and blocks. */
export interface StatementBeginnings {
  readonly words: readonly string[];
  /** After these words, such a word continues the statement. */
  readonly notBehind: readonly string[];
  /** Words that may occur within a statement, by its first word; the first occurrence continues the statement. */
  readonly within: Readonly<Record<string, readonly string[]>>;
}

/**
 * The notation of scripts for a product's own client: patterns (in any case of letters) of lines that begin where a
 * statement could begin.
 */
export interface ScriptNotation {
  /** The client, as messages name it: "psql or pgbench". */
  readonly client: string;
  /** Patterns of texts that only scripts of this product contain: the product with the most matches is chosen. */
  readonly signs: readonly string[];
  /** A line that ends a batch. Its group `times` is the number of executions. */
  readonly batchEnd?: string;
  /** The sign before the name of a variable, which lives as long as its batch. */
  readonly variable?: '@';
  /** A line that sets the statement delimiter, in the group `end` (DELIMITER). */
  readonly delimiter?: string;
  /** Commands of the client. The next patterns cover the supported ones; statements may depend on the others. */
  readonly command?: string;
  /** Commands that only change the client's output. */
  readonly shows?: string;
  /** A command that gives a variable a value: groups `name` and `value`. */
  readonly sets?: string;
  /** A command that waits: groups `time` and `unit` (us, ms; else s). */
  readonly sleeps?: string;
  /** A command that ends the script. */
  readonly ends?: string;
  /** A command that runs a procedure (group `call`), as a block of the language. */
  readonly runs?: string;
  /** Conditional commands, with the groups `opens` and `closes`: the client may skip the lines between them. */
  readonly branches?: string;
  /** A command in place of a statement's semicolon: (\\g). Its group `more`: it also processes the answer. */
  readonly sends?: string;
  /** The place of a variable in any part of a text, with its name as the first group. Default: :name in code. */
  readonly places?: string;
  /** A statement followed by its rows, up to a line with \\. */
  readonly rowsFollow?: string;
  /** Comments that the server executes. */
  readonly carriedOut?: string;
}

/** The kinds of transaction control, in the order of matching: the first match counts. */
export const transactionControls = [
  'within', // useful only inside a transaction: savepoints, locks that the commit releases
  'isolates', // sets the isolation level of the session or of its next transaction
  'ends', // commits, or releases the locks of `holds`
  'undoes', // rolls back
  'begins',
  'holds', // no single transaction: locks and modes that last until the session releases them
] as const;
/** One of {@link transactionControls}. */
export type TransactionControl = (typeof transactionControls)[number];

/** The language of an engine's custom statements. */
export interface StatementLanguage {
  /** rql: queries in RQL, or requests in JSON (json-request.ts). */
  readonly language: 'sql' | 'json' | 'rql';
  readonly quoting?: readonly Quoting[];
  /** The rules for SQL texts that only read. Default: standard SQL. */
  readonly reads?: ReadRules;
  /**
   * Texts that are one statement to their end, including semicolons, such as definitions of procedures: a pattern of
   * their first words in lower case, each followed by one space. Only where the server takes one statement at a time,
   * or such a definition extends to the end of the request.
   */
  readonly wholeTexts?: string;
  /**
   * BEGIN … END combines several statements into one. `onlyBefore`: only if one of these words follows BEGIN;
   * `notBefore`: unless one of these does. Absent: the language has no such blocks.
   */
  readonly blocks?: { readonly onlyBefore?: readonly string[]; readonly notBefore?: readonly string[] };
  /**
   * True: the server accepts a batch of statements as one, with variables of the batch's lifetime. A text that declares
   * a variable, or has control flow, is then one statement to its end and cannot be split.
   */
  readonly batches?: true;
  /** Words that begin a statement, in languages that need no semicolon between statements. */
  readonly beginnings?: StatementBeginnings;
  /** The notation of scripts for the product's own client. Absent: the client adds none. */
  readonly scripts?: ScriptNotation;
  /**
   * Statements that begin and end transactions, or need one: patterns of their first words, as in `wholeTexts`. For
   * JSON, patterns of a command's keys in order, case-sensitive.
   */
  readonly transactionControl?: Readonly<Partial<Record<TransactionControl, string>>>;
  /**
   * True: an answer gives each value its own type, in the engine's notation, and a captured value keeps it if the file
   * names no type. Absent: captured values are integers if the file names no type.
   */
  readonly answersOwnTypes?: true;
  /** The product's own notation of parameters in code, to which Dyno assigns no value: a pattern. Absent: none. */
  readonly ownParameters?: string;
  /**
   * The query of a table's first rows, with {rows}, {columns} and {table} in their places. Absent: Dyno writes no such
   * queries by itself.
   */
  readonly firstRows?: string;
  /**
   * The statement that reads the row of {table} with a key, the parameter `key`, where the language is no SQL. Absent:
   * Dyno writes no such statements by itself.
   */
  readonly lookUp?: string;
  /** The server refuses a semicolon at the end of a statement. */
  readonly refusesSemicolon?: true;
  /** True if a rollback also undoes DDL on tables. */
  readonly undoesDdl?: boolean;
  /** A text that begins with a procedure's name calls it. */
  readonly callsByName?: true;
  /**
   * The server's treatment of a text that is compared with a number, as a literal and as a parameter. Absent: the
   * server converts it to a number.
   */
  readonly textMeetsNumber?: Readonly<Record<'literal' | 'bound', 'converts' | 'findsNothing' | 'refuses'>>;
  /** The dialect of the editor's syntax highlighting; absent: standard SQL, or none. */
  readonly highlight?: 'PostgreSQL' | 'MySQL' | 'MSSQL' | 'SQLite' | 'PLSQL';
}

/** A part of a text: code, a quoted part or comment, a parameter by name, or a table placeholder: {name}. */
type TextPart =
  | { readonly kind: 'code' | 'quoted'; readonly text: string }
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'table'; readonly name: string };

const placeAtOnce = /\{([a-z][a-z0-9_]{0,29})\}/y;

/** The table that a string of a JSON command names; null: the string is a plain value. */
export const tableOfString = (text: string): string | null => /^\{([a-z][a-z0-9_]{0,29})\}$/.exec(text)?.[1] ?? null;

const identifierStart = /[A-Za-z_]/;
const identifierRest = /[A-Za-z0-9_]*/y;

/** Splits SQL or RQL into code, quoted parts, comments, tables and parameters. An unclosed part extends to the end. */
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
    // The second colon of a cast begins no parameter.
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

/** The end of the quoted part that begins here; otherwise `at`. */
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
    const escapes =
      has('backslash') ||
      has('textBackslash') ||
      (has('eString') && /e/i.test(before) && !/[\w$]/.test(text[at - 2] ?? ''));
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

/** The position after the closing quote; a doubled quote does not close. */
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

/** True for a quoted part that is a comment. */
export const isComment = (quoted: string): boolean => /^(--|#|\/\*)/.test(quoted);

/** The words of the code, in lower case. */
export const wordsOf = (parts: readonly TextPart[]): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'code' ? (part.text.toLowerCase().match(/[a-z_][a-z0-9_$]*/g) ?? []) : []));

/** True if a text is one of RavenDB's JSON requests and no query. */
export const isRequest = (text: string, { language }: StatementLanguage): boolean =>
  language === 'rql' && looksLikeRequest(text);

/** The names of a request's placeholders, each once. */
function namesIn(text: string, kinds: readonly JsonPiece['kind'][]): readonly string[] {
  const pieces = [...piecesOf(requestOf(text)?.body ?? {})];
  return [...new Set(pieces.flatMap((piece) => (kinds.includes(piece.kind) ? [piece.text] : [])))];
}

/** The language of a session in which a backslash is an ordinary character. */
export const withoutBackslashes = (language: StatementLanguage): StatementLanguage => ({
  ...language,
  quoting: (language.quoting ?? []).filter((one) => one !== 'backslash'),
});

/**
 * Names of the parameters in a text, each once. In JSON: strings "$name" with a declared name, {"$param": "name"}. In
 * languages with backslash escapes: also declared names that a session without them finds, because the server's
 * settings decide.
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
  const named = (by: StatementLanguage) =>
    partsOf(text, by).flatMap((part) => (part.kind === 'parameter' ? [part.name] : []));
  const names = named(language);
  if (!language.quoting?.includes('backslash') || !text.includes('\\')) return [...new Set(names)];
  const others = named(withoutBackslashes(language)).filter((name) => declared.includes(name));
  return [...new Set([...names, ...others])];
}

/** Names of the tables in a text, each once. In a MongoDB command: the strings "{name}". */
export function tablesIn(text: string, language: StatementLanguage): readonly string[] {
  if (isRequest(text, language)) return namesIn(text, ['table']);
  const found =
    language.language === 'json'
      ? [...text.matchAll(/"\{([a-z][a-z0-9_]{0,29})\}"/g)].map(([, name]) => name!)
      : partsOf(text, language).flatMap((part) => (part.kind === 'table' ? [part.name] : []));
  return [...new Set(found)];
}
