/** Limits of a server's answer, beyond which the connection is given up: a reply can claim any length. */
export interface Limits {
  /** Bytes of the reply to one message of the login, where the other side is not yet known. */
  readonly loginBytes: number;
  /** Bytes of one reply object, such as a block of rows or a LOB. */
  readonly objectBytes: number;
  /** Bytes of the reply to one call, such as a block of rows with its LOBs. */
  readonly chainBytes: number;
  /** Columns of a result, parameters of a statement. */
  readonly columns: number;
  /** Characters of the server's message that an error keeps. */
  readonly messageCharacters: number;
}

export const defaultLimits: Limits = {
  loginBytes: 1024 * 1024,
  objectBytes: 64 * 1024 * 1024,
  chainBytes: 128 * 1024 * 1024,
  columns: 4_096,
  messageCharacters: 4_000,
};
