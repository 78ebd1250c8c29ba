import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import { errorData, type Meaning, meaningOfWords, tlsCodes } from '../shared/error-table.ts';
import { byErrno, byMessage, byName, noHttp, tls } from './error-codes.ts';

/**
 * Makes the data of an error from anything the driver throws: exceptions of the server under their .NET names, with its
 * whole stack behind the message; errors of the socket, wrapped by fetch and by the driver; the driver's own.
 */
export function toError(wrapped: unknown): ErrorData {
  const thrown = causeOf(wrapped);
  if (thrown instanceof DynoError) return thrown.data;
  if (!(thrown instanceof Error)) return toErrorData(thrown);
  const { name } = thrown;
  if (name === 'AbortError') return data({ kind: 'cancelled' }, null, thrown.message);
  // The error of undici, which has a code most of the time.
  if (name === 'HTTPParserError') return data(noHttp, null, thrown.message);
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
  const message = wordsOf(thrown);
  if (code !== null) {
    const meaning = byErrno.get(code) ?? (tlsCodes.test(code) ? tls : undefined);
    if (meaning) return data(meaning, code, message);
  }
  const exception = serverName(thrown);
  const meaning = meaningOfWords(byMessage, thrown.message) ?? byName.get(exception ?? '');
  if (meaning) return data(meaning, exception ?? code, message);
  if (exception !== null) return data({ kind: 'other' }, exception, message);
  return toErrorData(thrown);
}

/** The message of fetch() for every error of the socket, and of the driver for every error while it reads an answer. */
const wrapping = /^(?:fetch failed|terminated|Error processing command )/;

function causeOf(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  // If a name has several addresses, each has failed.
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return causeOf(thrown.errors[0]);
  return thrown.cause !== undefined && wrapping.test(thrown.message) ? causeOf(thrown.cause) : thrown;
}

/** "ConcurrencyException": the driver's name of the error, or else the one that the server's message begins with. */
function serverName({ name, message }: Error): string | null {
  const inside = /^(?:[\w+]+\.)+(?:\w+\+)?(\w+Exception)\b/.exec(message)?.[1];
  if (name === 'RavenException' || name === 'Error') return inside ?? (name === 'Error' ? null : name);
  return /Exception$/.test(name) ? name : null;
}

/** The message without .NET's stack, the exception's name, and the program of an index. */
function wordsOf({ message }: Error): string {
  const [, index, wrong] = /(Failed to compile index [^\r\n]*).*?\(\d+,\d+\): error ([^\r\n]*)/s.exec(message) ?? [];
  if (wrong !== undefined) return `${index}: ${wrong}`;
  const forbidden = /^Forbidden access to [^\n]*\n(.*)$/s.exec(message)?.[1];
  const text = forbidden === undefined ? message : messageIn(forbidden);
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

const data = (meaning: Meaning, code: string | null, message: string): ErrorData =>
  errorData(
    meaning,
    code,
    meaning.kind === 'serverGone' ? `The connection to the server was lost (${message}).` : message,
  );
