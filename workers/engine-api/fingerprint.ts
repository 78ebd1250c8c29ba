/** Version and settings of a server. */
export interface Fingerprint {
  /** For example "PostgreSQL 18.4". */
  readonly product: string;
  readonly version: string;
  /** What answers in the product's place ("seerdb mirror over PostgreSQL 15"). Null: the product itself. */
  readonly standIn: string | null;
  /** Settings for the like-for-like table, grouped; values are text with their unit. */
  readonly durability: Readonly<Record<string, string>>;
  readonly memory: Readonly<Record<string, string>>;
  readonly other: Readonly<Record<string, string>>;
  /**
   * Configured size of the server's cache of data pages. Absent: there is no such setting, or the server does not tell.
   */
  readonly cacheBytes?: number;
  /**
   * Size of the pages that the server counts as read from files, the largest where sizes differ. Absent: it does not
   * tell, or counts none.
   */
  readonly pageBytes?: number;
  /** What could not be read, and which privilege would allow it. */
  readonly unavailable: readonly string[];
}
