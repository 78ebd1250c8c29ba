/** Parameters of a server: values as texts by the server's own names. Example: `{ shared_buffers: '1GB' }`. */
export type ServerParameters = Readonly<Record<string, string>>;

/** Parameters that a trial looks at, with the values that the experiment has for them. Null: the server's own value. */
export type AskedParameters = Readonly<Record<string, string | null>>;

/** The value that a server really has for a parameter. */
export interface ServerParameter {
  /** The value as the server writes it; null: it does not tell. */
  readonly value: string | null;
  /** True if it is the value that was asked for, however the server writes it, or if none was asked for. */
  readonly isAsked: boolean;
}

/** The state of a parameter of a running server. */
export interface ParameterState {
  /** The value in effect, as the server writes it; null: the server has no such parameter. */
  readonly value: string | null;
  /**
   * The text with which a change gives the parameter this state again. Null: the state without an entry, where the
   * server keeps changes in a file of entries.
   */
  readonly entry: string | null;
  /** The reason, as a sentence, why the parameter is not changed while the server runs; null: it is. */
  readonly refusal: string | null;
  /**
   * The entry that the server makes of the value that is asked for, because it rounds or limits it. Absent: the value
   * as it is asked for, or nobody knows before the change.
   */
  readonly rounded?: string;
}

/** A change of a parameter that leaves the values of other users alone. */
interface ParameterChange {
  /** The entries that the change may replace. A parameter with another entry stays as it is. */
  readonly from: readonly (string | null)[];
  readonly to: string | null;
}

/** Changes of parameters by name. */
export type ParameterChanges = Readonly<Record<string, ParameterChange>>;
