import { looksLikeRequest } from './json-request.ts';
import { type ReadToken, readTokens } from './read-tokens.ts';
import type { StatementLanguage } from './statement-text.ts';

/**
 * True if a reading statement certainly names tables of Dyno alone ({table}), so that its rows are rows that Dyno has
 * generated. False where the text leaves a doubt.
 */
export function readsOwnTables(text: string, language: StatementLanguage): boolean {
  if (language.language === 'json') return commandReadsOwn(text);
  if (language.language === 'rql' && looksLikeRequest(text)) return false;
  const tokens = readTokens(text, language);
  if (typeof tokens === 'string') return false;
  const isIn = (words: readonly string[]) =>
    tokens.some(({ kind, text: word }) => kind === 'word' && words.includes(word));
  if (!isIn(['from']) || isIn(['table', 'load', 'include', 'using', 'apply'])) return false;
  const named = namesOfWith(tokens);
  return tokens.every(({ kind, text: word }, at) => {
    if (kind !== 'word' || (word !== 'from' && word !== 'join')) return true;
    return tablesBehind(tokens, at + 1).every((token) => isOwn(token, named));
  });
}

/**
 * True if a statement that may write writes to tables of Dyno alone ({table}), whatever it reads. A query that only
 * locks rows, or calls functions, has to read such tables alone. False where the text leaves a doubt, as CALL does.
 */
export function writesOwnTables(text: string, language: StatementLanguage): boolean {
  if (language.language === 'json') return commandWritesOwn(text);
  if (language.language !== 'sql') return /\{[a-z][a-z0-9_]*\}/.test(text);
  const tokens = readTokens(text, language);
  if (typeof tokens === 'string') return false;
  const written = tokens.flatMap((_, at) => writtenAt(tokens, at) ?? []);
  const aliases = new Set(
    tokens.flatMap((token, at) => {
      const before = tokens[isWord(tokens[at - 1], 'as') ? at - 2 : at - 1];
      return token.kind === 'word' && before?.kind === 'table' ? [token.text] : [];
    }),
  );
  if (written.length === 0) return readsOwnTables(text, language);
  return written.every(({ kind, text: name }) => kind === 'table' || (kind === 'word' && aliases.has(name)));
}

const betweenVerb = new Set('into from table only ignore low_priority delayed quick'.split(' '));
/** UPDATE and DELETE are no verbs of a statement behind these: FOR UPDATE, DO UPDATE, ON DUPLICATE KEY UPDATE, THEN. */
const noVerbBehind = new Set('for do key on then'.split(' '));

/** The table that a verb at this place writes to; null: there is no such verb. */
function writtenAt(tokens: readonly ReadToken[], at: number): ReadToken | null {
  const token = tokens[at]!;
  if (token.kind !== 'word') return null;
  const before = tokens[at - 1];
  const isVerb =
    token.text === 'update' || token.text === 'delete'
      ? !(before?.kind === 'word' && noVerbBehind.has(before.text))
      : token.text === 'merge' || token.text === 'into' || token.text === 'truncate';
  if (!isVerb) return null;
  let next = at + 1;
  while (tokens[next]?.kind === 'word' && betweenVerb.has(tokens[next]!.text)) next++;
  return tokens[next] ?? token;
}

/** Commands of MongoDB that write to the collection that they name, and to no other one. */
const writes = ['insert', 'update', 'delete', 'findAndModify', 'findandmodify'];

function commandWritesOwn(text: string): boolean {
  try {
    const [[name = '', collection] = []] = Object.entries(JSON.parse(text) as object);
    return writes.includes(name) && isPlaceholder(collection);
  } catch {
    return false;
  }
}

const isPlaceholder = (name: unknown): boolean => /^\{[a-z][a-z0-9_]{0,29}\}$/.test(String(name));

const isSign = (token: ReadToken | undefined, sign: string): boolean => token?.kind === 'sign' && token.text === sign;
const isWord = (token: ReadToken | undefined, word: string): boolean => token?.kind === 'word' && token.text === word;

const isOwn = (token: ReadToken | undefined, named: ReadonlySet<string>): boolean =>
  token?.kind === 'table' || isSign(token, '(') || (token?.kind === 'word' && named.has(token.text));

/** The names of common table expressions: "x AS (", "x (a, b) AS (". */
function namesOfWith(tokens: readonly ReadToken[]): ReadonlySet<string> {
  if (!isWord(tokens[0], 'with')) return new Set();
  return new Set(
    tokens.flatMap(({ kind, text }, at) => {
      const before = tokens[at - 1];
      const isFirst = isWord(before, 'with') || isWord(before, 'recursive') || isSign(before, ',');
      if (kind !== 'word' || !isFirst) return [];
      let next = at + 1;
      if (isSign(tokens[next], '(')) next = behindBracket(tokens, next);
      const isNamed = isWord(tokens[next], 'as') && tokens.slice(next + 1, next + 4).some((one) => isSign(one, '('));
      return isNamed ? [text] : [];
    }),
  );
}

function behindBracket(tokens: readonly ReadToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (isSign(tokens[at], '(')) depth++;
    else if (isSign(tokens[at], ')') && --depth === 0) return at + 1;
  }
  return tokens.length;
}

const afterFrom = new Set(
  'where group having order limit offset fetch union intersect except minus window for select option'.split(' '),
);

/** The tokens in the places of tables, from the word behind FROM or JOIN to the end of the clause. */
function tablesBehind(tokens: readonly ReadToken[], from: number): readonly (ReadToken | undefined)[] {
  const placeAt = (at: number) => tokens[isWord(tokens[at], 'lateral') || isWord(tokens[at], 'only') ? at + 1 : at];
  const found = [placeAt(from)];
  for (let at = from; at < tokens.length; ) {
    const token = tokens[at]!;
    if (isSign(token, ')') || (token.kind === 'word' && afterFrom.has(token.text))) break;
    if (isSign(token, ',')) found.push(placeAt(at + 1));
    at = isSign(token, '(') ? behindBracket(tokens, at) : at + 1;
  }
  return found;
}

/** A command of MongoDB: its collection, and the collections that its pipeline joins. */
function commandReadsOwn(text: string): boolean {
  try {
    return collectionsIn(JSON.parse(text), true).every(isPlaceholder);
  } catch {
    return false;
  }
}

const commands = ['find', 'aggregate', 'distinct', 'count'];
const joins = ['from', 'coll', '$unionWith'];

function collectionsIn(value: unknown, isCommand: boolean): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => collectionsIn(item, false));
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.entries(value).flatMap(([name, inner]) => {
    const isName = isCommand ? commands.includes(name) : joins.includes(name) && typeof inner === 'string';
    return isName ? [inner] : collectionsIn(inner, false);
  });
  return isCommand && own.length === 0 ? [''] : own;
}
