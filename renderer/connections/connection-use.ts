/** Functions that the shell passes to the pages of connections, because connections do not import the builder. */
export interface ConnectionUse {
  /** Adds the connection of this name to the targets of the experiment in the builder, or of a new one. */
  readonly onUse: (name: string) => void;
}
