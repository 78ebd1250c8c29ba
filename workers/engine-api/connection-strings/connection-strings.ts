/** A parameter of a URL or a pair of a connection string; `isQuoted`: quotes say where its value ends. */
export type Parameter = readonly [name: string, value: string, isQuoted?: boolean];

/** The value of a field. */
export type Value = string | number | boolean | Readonly<Record<string, string>>;
/** Values by the names of an engine's fields; passwords are in clear text among them. */
export type Values = Readonly<Record<string, Value>>;

/** The content of a connection string, by the engine's fields. */
export interface Reading {
  /** The values by the names of the engine's fields; passwords are in clear text. */
  readonly values: Values;
  /** Sentences about settings that are not taken over, or become other settings. They hold no values. */
  readonly notes: readonly string[];
  /** The other program never writes over this connection, so Dyno must not either. */
  readonly readOnly: boolean;
}

/**
 * The certainty with which a reader claims a text for its engine. own: the text names the engine. likely: no other
 * engine has claimed the text. asked: the user has named the engine.
 */
export type Certainty = 'own' | 'likely' | 'asked';

/** Reads connection strings and settings of other programs for the servers of one engine. */
export interface ConnectionStrings {
  /**
   * Reads a URL or another connection string, in the form of any usual library for the engine. `certainty`: the least
   * certainty that it belongs to this engine; default: own. Null: it does not.
   * @throws DynoError 'badInput' for a text that cannot be read, or whose connection would be less safe. The message
   * repeats no value of it.
   */
  read(text: string, certainty?: Certainty): Reading | null;
  /**
   * Settings by the names that the engine's libraries and drivers give them.
   * @throws DynoError 'badInput', as `read`.
   */
  settings(settings: Iterable<Parameter>): Reading;
}
