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
