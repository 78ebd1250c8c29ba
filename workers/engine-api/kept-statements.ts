/** A statement that a server has counted. Placeholders take the place of its values. */
export interface KeptStatement {
  /** The text, in the placeholders of the server or `?`; for MongoDB a command with `"$name"`. */
  readonly text: string;
  /** Calls since the server began to count. */
  readonly calls: number;
  /** Mean time of a call at the server, ms. Null: a log without times. */
  readonly meanMs: number | null;
  /** Mean number of rows that a call returned or changed. Null: a log does not tell it. */
  readonly rowsPerCall: number | null;
  /** The kinds of its values, in the order in which the text names them first. Absent: they are unknown. */
  readonly values?: readonly SeenValues[];
}

/** Kinds of values in logs. */
export type SeenKind = 'integer' | 'decimal' | 'text' | 'timestamp' | 'date' | 'uuid' | 'boolean';

/** The kind of a parameter's values, as a log or the server shows it, and the values only if they are to be kept. */
export interface SeenValues {
  /** The kind that all values have, text where they have several; null: only nulls were seen. */
  readonly kind: SeenKind | null;
  /** Least and most digits before the point, or characters of a text. */
  readonly least: number;
  /** Most of them. */
  readonly most: number;
  /** Most digits behind the point. */
  readonly scale: number;
  /** True if a number below zero was seen. */
  readonly hasNegative: boolean;
  /** The values and their numbers of calls, if they are to be kept. */
  readonly kept?: readonly (readonly [value: string, calls: number])[];
}

/** A counted text as an experiment has it, or the kind of a text that none has, with its first words. */
export type CountedText = { readonly text: string } | { readonly kind: OtherKind; readonly words: string };

/**
 * The kinds of counted texts that no experiment takes from a server. definition: DDL and maintenance. session:
 * settings, transaction control and other commands of a session. catalog: queries about the server itself. dyno:
 * statements of Dyno's runs. cut: the server kept only the beginning of the text. hidden: the user may not see the
 * text. older: texts that were not called since the time that was asked for, or whose calls since then the server
 * does not tell. several: a text of several statements. rare: texts of a log that are not among its most frequent
 * ones. other: all others, such as calls of procedures.
 */
export type OtherKind =
  | 'definition'
  | 'session'
  | 'catalog'
  | 'dyno'
  | 'cut'
  | 'hidden'
  | 'older'
  | 'several'
  | 'rare'
  | 'other';

/** The counted texts of one such kind. */
export interface OtherStatements {
  /** The reason why no experiment has them. */
  readonly kind: OtherKind;
  /** Number of different texts. */
  readonly texts: number;
  /** Calls of all of them. */
  readonly calls: number;
  /** Their time at the server, ms. */
  readonly totalMs: number;
  /** The first words of some of them, in upper case: `CREATE INDEX`. */
  readonly words: readonly string[];
}

/** The counts of a server. */
export interface StatementTotals {
  /** Time of all counted statements of the user's database at the server, ms, with those that were not read. */
  readonly totalMs: number;
  /** Number of all their calls. */
  readonly totalCalls: number;
  /** The time at which the server began to count, in ISO 8601; null: the server does not tell it. */
  readonly since: string | null;
  /** The view that was read, where the engine has several. Absent: the one that the descriptor names. */
  readonly source?: string;
  /**
   * calls: calls since the time that was asked for are counted alone. texts: texts that were called since then are
   * counted with their earlier calls. Absent: no time was asked for.
   */
  readonly countsSince?: 'calls' | 'texts';
}

/** All that a server tells about the statements of the user's database. */
export interface KeptStatements extends StatementTotals {
  /** The statements with the most time first, 200 at most. */
  readonly statements: readonly KeptStatement[];
  /** The counted texts that no experiment runs, those with the most time first. */
  readonly others: readonly OtherStatements[];
}
