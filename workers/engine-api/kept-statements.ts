/** A statement that a server has counted. Placeholders take the place of its values. */
export interface KeptStatement {
  /** The text, in the placeholders of the server or `?`. */
  readonly text: string;
  /** Calls since the server began to count. */
  readonly calls: number;
  /** Mean time of a call at the server, ms. */
  readonly meanMs: number;
  /** Mean number of rows that a call returned or changed. */
  readonly rowsPerCall: number;
}
