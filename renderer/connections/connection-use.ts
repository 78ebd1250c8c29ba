/** The functions that the shell gives to the pages of connections, because connections know nothing of the builder. */
export interface ConnectionUse {
  /** Adds the connection of this name to the targets of the experiment in the builder, or of a new one. */
  readonly onUse: (name: string) => void;
}
