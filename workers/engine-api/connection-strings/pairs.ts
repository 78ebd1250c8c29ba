import { DynoError } from '#model/error.ts';
import type { Parameter } from './connection-strings.ts';
import { requireOnce } from './once.ts';

/**
 * The ways to quote values in a connection string of pairs. ado: "a;b" or 'a;b', with a quote in the value written
 * twice. odbc and JDBC: {a;b}, with a brace in the value written twice. plain: values are not quoted.
 */
type Quoting = 'ado' | 'odbc' | 'plain';

const howToWrite: Readonly<Record<Quoting, string>> = {
  ado: 'Put a value that has ; = or quotes into double quotes, and write a double quote in it twice: Password="a;b".',
  odbc: 'Put a value that has ; or braces into braces, and write a closing brace in it twice: PWD={a;b}.',
  plain: 'A value cannot have a ; here: leave the password out, and give it as the field password.',
};

const unreadable = (quoting: Quoting) =>
  new DynoError('badInput', 'The connection string has a part that is not NAME=VALUE, or a quote that does not end.', {
    hint: howToWrite[quoting],
  });

/**
 * The pairs of NAME=VALUE;NAME=VALUE. The error never repeats them, because they may hold a password.
 * @throws DynoError 'badInput'
 */
export function readPairs(text: string, quoting: Quoting): readonly Parameter[] {
  const pairs: Parameter[] = [];
  for (let at = 0; at < text.length; ) {
    if (/[\s;]/.test(text[at] ?? '')) {
      at++;
      continue;
    }
    const equals = text.indexOf('=', at);
    const name = equals < 0 ? '' : text.slice(at, equals).trim();
    if (!/^[\w .()-]{1,60}$/.test(name)) throw unreadable(quoting);
    const start = skipBlanks(text, equals + 1);
    const quote = quoteAt(text[start], quoting);
    const semicolon = text.indexOf(';', start);
    const rawEnd = semicolon < 0 ? text.length : semicolon;
    if (quote === null) {
      pairs.push([name, text.slice(start, rawEnd).trim()]);
      at = rawEnd + 1;
      continue;
    }
    const end = closing(text, start + 1, quote);
    const next = skipBlanks(text, end + 1);
    if (end < 0 || (next < text.length && text[next] !== ';')) throw unreadable(quoting);
    pairs.push([name, text.slice(start + 1, end).replaceAll(quote + quote, quote), true]);
    at = next + 1;
  }
  return requireOnce(pairs);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at++;
  return at;
}

/** The character that ends a value which begins with this one; null: the value is not quoted. */
const quoteAt = (char: string | undefined, quoting: Quoting): string | null =>
  quoting === 'ado' && (char === '"' || char === "'") ? char : quoting === 'odbc' && char === '{' ? '}' : null;

/** Position of a quote that is not written twice; −1: there is none. */
function closing(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 2))
    if (text[at + 1] !== quote) return at;
  return -1;
}

/**
 * The pairs of name=value name='va lue', as libpq reads them: blanks between them, \ before a quote or a backslash.
 * @throws DynoError 'badInput'
 */
export function readWords(text: string): readonly Parameter[] {
  const pair =
    /\s*(?<name>[A-Za-z_]\w*)\s*=\s*(?:'(?<quoted>(?:\\.|[^'\\])*)'(?=\s|$)|(?<bare>(?:\\.|[^\s'\\])(?:\\.|[^\s\\])*|(?=\s|$)))\s*/suy;
  const pairs: Parameter[] = [];
  while (pair.lastIndex < text.length) {
    const found = pair.exec(text)?.groups;
    if (!found)
      throw new DynoError('badInput', 'The connection string has a part that is not name=value.', {
        hint: "Put a value that has blanks, quotes or backslashes into single quotes, and write a \\ before a quote or backslash in it: password='a b\\'c'.",
      });
    const value = (found.quoted ?? found.bare ?? '').replaceAll(/\\(.)/gsu, '$1');
    pairs.push([found.name ?? '', value, found.quoted !== undefined]);
  }
  return requireOnce(pairs);
}
