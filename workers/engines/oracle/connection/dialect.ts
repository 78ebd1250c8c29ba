/** The differences between servers that are known once a session is open. */
export interface Dialect {
  /** Major version: 19, 21, 23… */
  readonly version: number;
  /** True if the database's character set is Unicode (AL32UTF8 or UTF8). */
  readonly unicode: boolean;
  readonly characterSet: string;
  /** The owner of Dyno's tables, as the dictionary writes it. */
  readonly owner: string;
  /** See Fingerprint.emulator. */
  readonly emulator: string | null;
}

/** True for a server with SQL's BOOLEAN, VALUES lists in INSERT, and pipelines ("What's New" of 23ai). */
export const isSince23 = ({ version }: Dialect): boolean => version >= 23;
