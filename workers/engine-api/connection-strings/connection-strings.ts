/** A parameter of a URL or a pair of a connection string; `isQuoted`: quotes say where its value ends. */
export type Parameter = readonly [name: string, value: string, isQuoted?: boolean];

/** The value of a field. */
export type Value = string | number | boolean | Readonly<Record<string, string>>;
/** Values by the names of an engine's fields; passwords are in clear text among them. */
export type Values = Readonly<Record<string, Value>>;

/** The content of a connection string, by the engine's fields. */
export interface Reading {
  /** The values by the names of the engine's fields. */
  readonly values: Values;
  /** Sentences about what is not taken over, or becomes something else. They hold no values. */
  readonly notes: readonly string[];
  /** The other program lets nothing be written over this connection. */
  readonly readOnly: boolean;
}

/**
 * How sure a reader has to be that a text is of its engine: own, because the text says so; likely, because nothing else
 * has claimed it; asked, because whoever gave it has named the engine.
 */
export type Certainty = 'own' | 'likely' | 'asked';

/** Reads what other programs say of connections to servers of one engine. */
export interface ConnectionStrings {
  /**
   * A URL or another connection string, of any library that is usual for the engine; `certainty`, by default own: how
   * sure it has to be that it is one of this engine. Null: it is not.
   * @throws DynoError 'badInput' for one that cannot be read, or whose connection would be less safe. The message holds
   * no value of it.
   */
  read(text: string, certainty?: Certainty): Reading | null;
  /**
   * Settings by the names that the engine's libraries and drivers give them.
   * @throws DynoError 'badInput', as `read`.
   */
  settings(settings: Iterable<Parameter>): Reading;
}
