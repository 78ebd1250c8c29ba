import type { PlansByName } from '#model/dataset/dataset.ts';

/**
 * A kind of statement that `setup` of an experiment may have. PostgreSQL's for views:
 *
 * ```ts
 * { implementation: 'CREATE VIEW {name}', shape: 'create view \\{own\\} .+', makes: 'VIEW' }
 * ```
 */
export interface SetupForm {
  /** The statement, as documentation shows it. Example: `'CREATE VIEW {name}'`. */
  readonly implementation: string;
  /**
   * A pattern of the whole statement as `setupShape` of model/statements/setup-shape.ts writes it: words in lower case,
   * `{own}` for the object's own name, `{}` for other tables and objects of Dyno's, a space between two of them.
   * Example: `'create view \\{own\\} .+'`.
   */
  readonly shape: string;
  /**
   * The kind of object that the statement makes, in the words of the engine's DROP. Default: it makes no object, and
   * its effect ends with the table. Example: `'VIEW'`.
   */
  readonly makes?: string;
}

/** The statements that `setup` may have on an engine. */
export interface SetupRules {
  /** The statements that it takes; the first that fits counts. Example: `[{ implementation: 'A', shape: '…' }]`. */
  readonly forms: readonly SetupForm[];
  /**
   * The statements that `teardown` may have besides those of `forms` that make nothing: `{own}` in their shapes is an
   * object of `setup`. Example: `[{ implementation: 'DROP VIEW {name}', shape: 'drop view \\{own\\}' }]`.
   */
  readonly teardown: readonly Omit<SetupForm, 'makes'>[];
  /**
   * Statements that it refuses, by patterns of the beginnings of their shapes, each with the reason as a sentence.
   * Default: every other statement is refused because no form fits it. Example: `[{ shape: 'grant ', why: 'The server
   * keeps rights on a table that is gone.' }]`.
   */
  readonly refused?: readonly { readonly shape: string; readonly why: string }[];
  /**
   * The statement that collects more statistics, which advice tries where estimates are far off. Its text has `{own}`
   * for its own object, `{}` for the table and `{columns}`; `leastColumns`: a condition has as many columns of the
   * table, or more. Default: advice tries none. Example: `{ text: 'ANALYZE {}', leastColumns: 0 }`.
   */
  readonly statistics?: { readonly text: string; readonly leastColumns: number };
}

/** A statement of `setup` or `teardown`, as Database.setUp() receives it. */
export interface SetupPlan {
  /** The text in this engine's language. */
  readonly text: string;
  /** The tables and objects that {name} in the text stands for, its own object included. */
  readonly tables: PlansByName;
  /**
   * The name of its own object at the server; it is unique to the run and carries Dyno's prefix. A statement of
   * `teardown` makes none, and no object has its name.
   */
  readonly name: string;
  /** SetupForm.makes of the statement; null: it makes no object. */
  readonly makes: string | null;
}
