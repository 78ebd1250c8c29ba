import { requestOf } from './json-request.ts';

/** Fields of a request that queries or loads documents; other fields may define objects. */
const fieldsOfKind = {
  query: [
    ...['Query', 'QueryParameters', 'Start', 'PageSize', 'ProjectionBehavior', 'SkipDuplicateChecking'],
    ...['SkipStatistics', 'WaitForNonStaleResults', 'WaitForNonStaleResultsTimeout'],
  ],
  load: ['Ids', 'Includes'],
} as const;

/** True if a request of RavenDB changes nothing: a query that reads, or a load, without any other field. */
export function readsAsRequest(text: string): boolean {
  const request = requestOf(text);
  if (request === null || request.kind === 'changes') return false;
  const { kind, body } = request;
  const fields: readonly string[] = fieldsOfKind[kind];
  return Object.keys(body).every((name) => fields.includes(name)) && (kind === 'load' || readsAsQuery(body.Query));
}

/** Words that begin a query in RQL. */
export const rqlBeginnings: readonly string[] = ['from', 'declare', 'with', 'match'];

/** Functions of JavaScript on the server that store data, and calls of an AI service. */
const storing =
  /(?<![\p{L}\p{N}_])(?:put|del|incrementcounter|deletecounter|append|increment|delete|archiveat|unarchive|remove|task)\s*\(/iu;

/** True if an RQL query changes nothing. A query that cannot be parsed with certainty may change data. */
export function readsAsQuery(query: unknown): boolean {
  if (typeof query !== 'string') return false;
  const code = codeOf(query, 'pairs');
  if (code === null || code !== codeOf(query, 'quotes')) return false;
  const words = code.match(/[\p{L}_][\p{L}\p{N}_]*|\d+/gu)?.map((word) => word.toLowerCase()) ?? [];
  return rqlBeginnings.includes(words[0] ?? '') && !words.includes('update') && !storing.test(code);
}

/**
 * A query without its texts and comments; null: one of them is unclosed, or ends elsewhere in a function's body.
 * `escapes`: a backslash escapes any character, or only a quote, depending on the server's version.
 */
function codeOf(text: string, escapes: 'pairs' | 'quotes'): string | null {
  let code = '';
  for (let at = 0; at < text.length; ) {
    const end = quotedEnd(text, at, escapes);
    if (end === null) return null;
    code += end === at ? text[at] : ' ';
    at = Math.max(end, at + 1);
  }
  return code;
}

function quotedEnd(text: string, at: number, escapes: 'pairs' | 'quotes'): number | null {
  const sign = text[at]!;
  if (sign === "'" || sign === '"') return textEnd(text, at, escapes);
  if (text.startsWith('//', at)) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    // A carriage return ends a comment only in the body of a function.
    return /\r(?!\n)/.test(text.slice(at, end + 1)) ? null : end;
  }
  if (!text.startsWith('/*', at)) return at;
  const found = text.indexOf('*/', at + 2);
  // “/*/” is a whole comment in the body of a function, and begins one elsewhere.
  return found === -1 || text[at + 2] === '/' ? null : found + 2;
}

function textEnd(text: string, at: number, escapes: 'pairs' | 'quotes'): number | null {
  const quote = text[at]!;
  for (let i = at + 1; i < text.length; i++) {
    const next = text[i + 1];
    if (text[i] === '\\' && (escapes === 'pairs' || next === quote)) i++;
    else if (text[i] === quote) {
      if (next !== quote) return i + 1;
      i++;
    }
  }
  return null;
}
