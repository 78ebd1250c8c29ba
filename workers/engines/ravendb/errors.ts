import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import { byErrno, byMessage, byName, type Meaning, tls, tlsCodes } from './error-codes.ts';

/**
 * From anything the driver throws: exceptions of the server under their .NET names, with its whole stack behind the
 * message; Node's errors of the socket, wrapped by node-fetch; the driver's own.
 */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError) return thrown.data;
  if (!(thrown instanceof Error)) return toErrorData(thrown);
  const { name } = thrown;
  if (name === 'AbortError') return data({ kind: 'cancelled' }, null, thrown.message);
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
  const message = wordsOf(thrown);
  if (code !== null) {
    const meaning = Object.hasOwn(byErrno, code) ? byErrno[code] : tlsCodes.test(code) ? tls : undefined;
    if (meaning) return data(meaning, code, message);
  }
  const said = byMessage.find(([words]) => words.test(thrown.message))?.[1];
  const exception = serverName(thrown);
  const meaning = said ?? (exception !== null && Object.hasOwn(byName, exception) ? byName[exception] : undefined);
  if (meaning) return data(meaning, exception ?? code, message);
  if (exception !== null) return data({ kind: 'other' }, exception, message);
  return toErrorData(thrown);
}

/** "ConcurrencyException": the driver's name of the error, or else the one that the server's message begins with. */
function serverName({ name, message }: Error): string | null {
  const inside = /^(?:[\w+]+\.)+(?:\w+\+)?(\w+Exception)\b/.exec(message)?.[1];
  if (name === 'RavenException' || name === 'Error') return inside ?? (name === 'Error' ? null : name);
  return /Exception$/.test(name) ? name : null;
}

/** The message without .NET's stack, the exception's name, the program of an index, and node-fetch's address. */
function wordsOf({ message }: Error): string {
  const fetched = /^request to \S+ failed, reason: (.*)$/s.exec(message)?.[1];
  const [, index, wrong] = /(Failed to compile index [^\r\n]*).*?\(\d+,\d+\): error ([^\r\n]*)/s.exec(message) ?? [];
  if (wrong !== undefined) return `${index}: ${wrong}`;
  const forbidden = /^Forbidden access to [^\n]*\n(.*)$/s.exec(message)?.[1];
  const text = fetched ?? (forbidden === undefined ? message : messageIn(forbidden));
  const first = text.split(/\r?\n\s+at |\s+--->\s/)[0] ?? text;
  return (
    first
      .replace(/^(?:[\w+]+\.)+[\w+]+Exception: /, '')
      .replaceAll(/\s+/g, ' ')
      .trim() || text.slice(0, 200)
  );
}

/** {"Type":"InvalidAuth","Message":"…"} */
function messageIn(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const { Message: message } = (parsed ?? {}) as { readonly Message?: unknown };
    return typeof message === 'string' ? message : body;
  } catch {
    return body;
  }
}

const data = ({ kind, hint, retryable }: Meaning, code: string | null, message: string): ErrorData => ({
  kind,
  code,
  message: kind === 'serverGone' ? `The connection to the server was lost (${message}).` : message,
  hint: hint ?? null,
  retryable: retryable ?? false,
});
