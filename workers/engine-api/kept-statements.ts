/** A statement that a server has counted. Placeholders take the place of its values. */
export interface KeptStatement {
  /** The text, in the placeholders of the server or `?`; for MongoDB a command with `"$name"`. */
  readonly text: string;
  /** Calls since the server began to count. */
  readonly calls: number;
  /** Mean time of a call at the server, ms. */
  readonly meanMs: number;
  /** Mean number of rows that a call returned or changed. */
  readonly rowsPerCall: number;
}

/**
 * The kinds of counted texts that no experiment takes from a server. definition: DDL and maintenance. session:
 * settings, transaction control and other commands of a session. catalog: queries about the server itself. dyno:
 * statements of Dyno's runs. cut: the server kept only the beginning of the text. hidden: the user may not see the
 * text. other: all others, such as calls of procedures.
 */
export type OtherKind = 'definition' | 'session' | 'catalog' | 'dyno' | 'cut' | 'hidden' | 'other';

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
}

/** All that a server tells about the statements of the user's database. */
export interface KeptStatements extends StatementTotals {
  /** The statements with the most time first, 200 at most. */
  readonly statements: readonly KeptStatement[];
  /** The counted texts that no experiment runs, those with the most time first. */
  readonly others: readonly OtherStatements[];
}
