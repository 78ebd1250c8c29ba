import type { CountedText } from './kept-statements.ts';

/** Calls of one text that a log tells of. */
export interface LoggedCalls {
  /** The text as the log has it, with its values; or without values, where the engine has taken them out already. */
  readonly text: string | CountedText;
  /** Number of calls. 0: a part of a call that the log counts apart, such as parsing. */
  readonly calls: number;
  /** Time of these calls at the server, ms. Null: the log has none. */
  readonly ms: number | null;
  /** Rows that these calls returned or changed. Null: the log has none. */
  readonly rows: number | null;
  /** The time of the entry, in ms since 1970. Null: it has none that can be read. */
  readonly at: number | null;
  /** The database in which it ran. Null: the entry does not tell. */
  readonly database: string | null;
  /** The values of numbered parameters beside the text, the first for $1; null: an SQL null. */
  readonly values?: readonly (string | null)[];
  /** True if the log has the beginning of the text alone. */
  readonly isCut?: boolean;
}

/** An entry that counts as no call. message: of the server or a session. plan: of auto_explain. failed: of a call. */
export type NotCalls = 'message' | 'plan' | 'failed';

/** Takes what a reader finds in a log. */
export interface LogSink {
  /** Takes an entry that tells of calls. */
  calls(found: LoggedCalls): void;
  /** Takes an entry that counts as no call. */
  other(kind: NotCalls): void;
  /** A line, counted from 1, whose entry cannot be read. */
  unreadable(line: number): void;
}

/** Reads the lines of one file, one after another. */
export interface LogReader {
  /** `isCut`: only the beginning of a line that is too long. */
  line(text: string, number: number, isCut: boolean): void;
  /** Gives what is left to the sink. */
  end(): void;
}

/** Facts that a log does not have. */
interface LogOptions {
  /** PostgreSQL's log_line_prefix. Null: it is recognised. */
  readonly prefix: string | null;
  /** The first lines of the file. */
  readonly head: readonly string[];
}

/** A format of files that tell which statements a server has run. */
export interface StatementLogFormat {
  /** Its name on the command line: `postgres-csv`. */
  readonly id: string;
  /** Its name for people: PostgreSQL csvlog. */
  readonly label: string;
  /** True if the first lines of a file have this format. */
  recognises(head: readonly string[]): boolean;
  /** Begins to read a file. */
  open(sink: LogSink, options: LogOptions): LogReader;
}
