import type { Options } from '#model/settings/options.ts';
import type { SettingName } from '#model/settings/settings.ts';

/** How an engine implements one combination of operation and method. */
export interface Support {
  /**
   * The call of the driver or the server, so that a reader can compare engines: "COPY FROM STDIN", "one INSERT with N
   * VALUES lists"…
   */
  readonly implementation: string;
  /** Highest number of rows (or keys) per call; 1 for methods that send single rows. */
  readonly maxRowsPerCall: number;
  /**
   * Why a call carries no more rows, as a sentence. Default: the limit is Dyno's own, or `implementation` explains it.
   */
  readonly rowLimitReason?: string;
  /** Limit of rows × columns in one call. Default: no limit. */
  readonly maxParameters?: number;
  /** Several calls may be in flight on one session (Settings.pipelineDepth). Default: one call at a time. */
  readonly pipelines?: boolean;
  /**
   * Several calls go in one message, and the next one follows when all of them have been answered
   * (Settings.callsPerBatch): Operation.send is present. Default: each call is a message of its own.
   */
  readonly batches?: boolean;
  /** The server generates the rows: the client's data and checksum do not apply. Default: the client sends them. */
  readonly serverData?: boolean;
  /**
   * The call bypasses SQL: every call commits by itself with any callsPerCommit, and accepts duplicate keys, which
   * checksum() then finds (Oracle's direct path load). Default: false.
   */
  readonly direct?: boolean;
  /**
   * A write that fails outside a transaction may have changed some of its rows: its outcome is unknown, and the runner
   * does not retry it. Given as options: this holds only with these values of the engine's options. Default: a call
   * changes all of its rows or none.
   */
  readonly mayApplyPartially?: boolean | Options;
  /**
   * A row with an existing key replaces the stored row instead of being refused: a count afterwards finds fewer rows
   * than were sent. Default: false.
   */
  readonly overwrites?: boolean;
  /**
   * Settings that matter to this cell although their `appliesTo` excludes it. Variants that differ only in settings
   * that do not matter run once.
   */
  readonly uses?: readonly SettingName[];
  /**
   * Values that options of this engine must have, by their short names; with other values the cell is empty, and
   * `unsupportedReasons` explains it.
   */
  readonly needs?: Options;
}

/** A cell whose calls handle one row, unless `more` says otherwise. */
export const cell = (implementation: string, more: Partial<Support> = {}): Support => ({
  implementation,
  maxRowsPerCall: 1,
  ...more,
});

/** A cell whose calls handle up to a million rows. */
export const many = (implementation: string, more: Partial<Support> = {}): Support =>
  cell(implementation, { maxRowsPerCall: 1_000_000, ...more });
