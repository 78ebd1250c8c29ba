/** The waits of one kind since the server started, as the server itself counts them. */
export interface WaitTotal {
  /** The server's own name of the wait. Example: `'direct path read temp'`. */
  readonly name: string;
  /** The server's own class of the wait. Example: `'User I/O'`. */
  readonly class: string;
  /** The number of waits that have ended. */
  readonly count: number;
  /** The sum of their times in µs. */
  readonly totalUs: number;
  /** The time of the longest wait since the server started, in µs. Null: the server does not tell. */
  readonly longestUs: number | null;
  /**
   * The server's own histogram: the waits up to each time in µs and above the time before, in any order. Default: the
   * server has none.
   */
  readonly buckets?: readonly WaitBucket[];
}

/** The waits that took up to this time in µs, and longer than the bound of the bucket before. */
export type WaitBucket = readonly [upToUs: number, count: number];
