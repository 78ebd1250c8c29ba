/** How much of a server's answer is taken before the connection is given up: a reply can claim any length. */
export interface Limits {
  /** Bytes of the reply to one message of the login: whoever answers there may be anyone. */
  readonly loginBytes: number;
  /** Bytes of one reply object: a block of rows, a LOB. */
  readonly objectBytes: number;
  /** Bytes of the reply to one call, a block of rows with its LOBs for instance. */
  readonly chainBytes: number;
  /** Columns of a result, parameters of a statement. */
  readonly columns: number;
  /** Characters of the server's words kept in an error. */
  readonly messageCharacters: number;
}

export const defaultLimits: Limits = {
  loginBytes: 1024 * 1024,
  objectBytes: 64 * 1024 * 1024,
  chainBytes: 128 * 1024 * 1024,
  columns: 4_096,
  messageCharacters: 4_000,
};
