import { DrdaError } from '#drda/index.ts';
import { type ErrorData, toErrorData } from '#model/error.ts';
import { connectionCut, errorData, errorTable, type Meaning } from '../shared/error-table.ts';
import { byClass, byState, log, login, memory, wordsOfState } from './error-codes.ts';

/** Reply messages instead of an answer (DRDA Volume 3). */
const byCodePoint = errorTable([
  [8721, 'badInput', 'Create the database or correct the target’s database.'], // RDBNFNRM
  [8707, 'permission', 'The user may not connect to this database.'], // RDBATHRM
  [8730, 'unreachable', log], // RDBAFLRM
  [4659, 'limit', memory], // RSCLMTRM
  [4658, 'serverGone', log], // AGNPRMRM
]);

const notAnswering =
  'Check that a DRDA server listens there, with the target’s ssl setting. A Derby whose threads are all taken (derby.drda.maxThreads) lets new connections wait.';

/** Errors of the client itself. */
const byKind = errorTable([
  ['protocol', 'other', 'Check that a DRDA server listens there, and of which version it is.'],
  ['timeout', 'timeout', log],
  ['closed', 'serverGone', connectionCut],
  ['security', 'authentication', login],
  ['unreachable', 'unreachable', 'Check host and port of the target, and that the server is running.'],
  [
    'tls',
    'tls',
    'Check the ssl setting of target and server (derby.drda.sslMode); for verify-full give the certificate’s CA as ca, and the host name that it names.',
  ],
  ['limit', 'limit', 'The server’s answer is larger than Dyno takes: lower fetchSize or rowsPerCall.'],
  ['value', 'constraint'],
  ['cancelled', 'cancelled'],
]);

/** Makes the data of an error from what the DRDA client throws. Pure. None of its messages holds a password. */
export function toError(thrown: unknown): ErrorData {
  if (!(thrown instanceof DrdaError)) return toErrorData(thrown);
  const meaning = meaningOf(thrown);
  const words = wordsOf(thrown);
  const message = thrown.kind === 'sql' && thrown.row !== null ? `Row ${thrown.row + 1} of the call: ${words}` : words;
  return errorData(meaning, thrown.sqlState ?? causeCode(thrown), message);
}

function meaningOf({ kind, sqlState, codePoint, message }: DrdaError): Meaning {
  if (kind === 'sql' && sqlState !== null) {
    // Exceptions of the server's own code come under several states.
    if (noStack.test(message)) return { kind: 'limit', hint: stack };
    if (noHeap.test(message)) return { kind: 'limit', hint: memory };
    return byState.get(sqlState) ?? byClass.get(sqlState.slice(0, 2)) ?? { kind: 'other' };
  }
  const reply = byCodePoint.get(codePoint ?? '');
  if (reply) return reply;
  if (kind === 'timeout' && connecting.test(message)) return { kind: 'timeout', hint: notAnswering };
  return byKind.get(kind) ?? { kind: 'other' };
}

const noStack = /java\.lang\.StackOverflowError/;
const noHeap = /java\.lang\.OutOfMemoryError/;
const stack =
  'The statement is nested too deeply: lower rowsPerCall, or give the server’s threads a larger stack (-Xss).';

/** The client's message for a server that accepts no user. */
const connecting = /^No connection to /;

/** The prefix of messages of SQLFire's family names the member and its thread. */
const member = /^\(Server=[^)]*\)\s*/;
/** The text between the prefix and the first token. */
const tokensFollow = '\u0018';

/**
 * Tokens end with the message's number, which begins with the SQLSTATE. A message that the server wrote itself has no
 * number.
 */
function wordsOf({ kind, tokens, sqlState, message }: DrdaError): string {
  if (kind !== 'sql' || sqlState === null) return message;
  const [first = '', ...others] = tokens;
  const clean = [first.replace(member, '').replaceAll(tokensFollow, ''), ...others];
  const isNumbered = clean.at(-1)?.startsWith(sqlState) === true;
  const said = isNumbered ? clean.slice(0, -1) : clean;
  const text = said.join(', ').trim() || message;
  // The sentences are made for numbers with tokens; any other text may be about anything.
  if (isNumbered) return wordsOfState[sqlState]?.(said) ?? `SQLSTATE ${sqlState}: ${text}`;
  return text;
}

/** Node's own code (ECONNREFUSED…) of the cause of a connection's error. */
const causeCode = ({ cause }: DrdaError): string | null =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
