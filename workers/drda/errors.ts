/**
 * The kinds of errors, by the decision that a caller takes:
 * - `sql`: the server refused a statement; `sqlState` and `sqlCode` say why.
 * - `protocol`: a reply that breaks the standard, or a reply message (its `codePoint`) instead of an answer. The
 *   connection is closed.
 * - `timeout`, `closed`: no answer in time; the connection ended before the answer. Pending calls reject with the same.
 * - `security`: user, password or security mechanism refused. `unreachable`, `tls`: no connection, no encryption.
 * - `limit`: a reply larger than `Limits` allow. `value`: a value that does not fit its parameter; nothing was sent.
 * - `cancelled`: the caller's signal.
 */
export type DrdaErrorKind =
  | 'sql'
  | 'protocol'
  | 'timeout'
  | 'closed'
  | 'security'
  | 'unreachable'
  | 'tls'
  | 'limit'
  | 'value'
  | 'cancelled';

interface Facts {
  readonly sqlState?: string | null;
  readonly sqlCode?: number | null;
  readonly tokens?: readonly string[];
  readonly codePoint?: number | null;
  readonly row?: number | null;
  readonly column?: number | null;
  readonly cause?: unknown;
}

/**
 * Every failure of this client. No message holds a password, a security token or bytes of a message that carried one.
 */
export class DrdaError extends Error {
  readonly kind: DrdaErrorKind;
  /** SQLSTATE of the SQLCARD, for kind `sql`; five characters. */
  readonly sqlState: string | null;
  /** SQLCODE of the SQLCARD: below 0 for errors. */
  readonly sqlCode: number | null;
  /** SQLERRMC: the names in the message, e.g. the constraint and the table. Derby's last token is the message's id. */
  readonly tokens: readonly string[];
  /** Code point of the reply message, e.g. 0x2211 for RDBNFNRM, or of the object that was malformed. */
  readonly codePoint: number | null;
  /** The row of the batch (counted from 0) that was executed or encoded; null for a batch of one row. */
  readonly row: number | null;
  /** The parameter (counted from 0) whose value did not fit. */
  readonly column: number | null;

  constructor(kind: DrdaErrorKind, message: string, facts: Facts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'DrdaError';
    this.kind = kind;
    this.sqlState = facts.sqlState ?? null;
    this.sqlCode = facts.sqlCode ?? null;
    this.tokens = facts.tokens ?? [];
    this.codePoint = facts.codePoint ?? null;
    this.row = facts.row ?? null;
    this.column = facts.column ?? null;
  }
}
