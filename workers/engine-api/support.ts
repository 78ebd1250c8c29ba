import type { Options } from '#model/settings/options.ts';
import type { SettingName } from '#model/settings/settings.ts';

/** What one operation × method cell is on an engine. */
export interface Support {
  /**
   * The call of the driver or the server, so that a reader knows what was compared: "COPY FROM STDIN", "one INSERT with
   * N VALUES lists"…
   */
  readonly implementation: string;
  /** Rows (or keys) that one call may carry; 1 for methods that send single rows. */
  readonly maxRowsPerCall: number;
  /**
   * Why a call carries no more rows, as a sentence. Default: the limit is Dyno's own, or `implementation` explains it.
   */
  readonly rowLimitReason?: string;
  /** Limit of rows × columns in one call. Default: no limit. */
  readonly maxParameters?: number;
  /** Several calls may be in flight on one session (Settings.pipelineDepth). Default: one call at a time. */
  readonly pipelines?: boolean;
  /** The server generates the rows: the client's data and checksum do not apply. Default: the client sends them. */
  readonly serverData?: boolean;
  /**
   * The call bypasses SQL: every call commits by itself, whatever callsPerCommit says, and checksum() finds duplicate
   * keys, which the call does not refuse (Oracle's direct path load). Default: false.
   */
  readonly direct?: boolean;
  /**
   * A write that fails outside a transaction may have changed some of its rows: its outcome is unknown, and the runner
   * does not retry it. Default: a call changes all of its rows or none.
   */
  readonly mayApplyPartially?: boolean;
  /**
   * A row whose key exists replaces that row and is not refused: a count afterwards finds fewer rows than were sent.
   * Default: false.
   */
  readonly overwrites?: boolean;
  /**
   * Settings that matter to this cell although their `appliesTo` says otherwise. Variants that differ only in other
   * settings run once.
   */
  readonly uses?: readonly SettingName[];
  /**
   * Values that options of this engine must have, by their short names; with other values the cell is empty, and
   * `unsupportedReasons` says why.
   */
  readonly needs?: Options;
}
