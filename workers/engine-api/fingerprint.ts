/** A connection pooler between Dyno and a server, which shares the server's connections among its clients. */
export interface Pooler {
  /** The product, if the pooler names it: "ProxySQL". */
  readonly name?: string;
  /** The unit that has a server's connection for itself; unclear cases count as transactions. */
  readonly shares: 'transactions' | 'sessions';
  /** Calls find the statements that the session has prepared by name. */
  readonly keepsStatements: boolean;
}

/** A sentence under a title: “The database stores bytes, not characters”. */
export interface Caution {
  /** A few words, without a full stop. */
  readonly title: string;
  /** Whole sentences that explain it. */
  readonly text: string;
}

/** Version and settings of a server. */
export interface Fingerprint {
  /** Product and version, for example "PostgreSQL 18.4". */
  readonly product: string;
  /** The version alone, as the server reports it. */
  readonly version: string;
  /**
   * The software that answers instead of the product ("seerdb mirror over PostgreSQL 15"); null: the product itself
   * answers.
   */
  readonly emulator: string | null;
  /**
   * Settings that decide what a commit survives, for the table of compared settings; values are text with their unit,
   * by the server's own names.
   */
  readonly durability: Readonly<Record<string, string>>;
  /** Settings of caches and of memory for sorts, in the same form. */
  readonly memory: Readonly<Record<string, string>>;
  /** All other settings that are compared, in the same form. */
  readonly other: Readonly<Record<string, string>>;
  /**
   * Configured size in bytes of the server's cache of data pages. Absent: the server has no such setting, or does not
   * report it.
   */
  readonly cacheBytes?: number;
  /**
   * Size in bytes of the pages that the server counts as read from files, the largest where sizes differ. Absent: the
   * server does not report it, or counts none.
   */
  readonly pageBytes?: number;
  /** The pooler that the connection goes through. Absent: none was recognised. */
  readonly pooler?: Pooler;
  /**
   * True: the user of the connection may change data. Absent: the engine has read-only sessions, or the server does not
   * tell.
   */
  readonly mayWrite?: boolean;
  /** Facts about server or database that change the meaning of numbers. Absent: there are none. */
  readonly cautions?: readonly Caution[];
  /** Values that could not be read, each with the privilege that would allow it. */
  readonly unavailable: readonly string[];
}
