/** Expected duration of a run, in seconds. */
export interface Estimate {
  /** Equals `most`, unless the run may end early. */
  readonly least: number;
  readonly most: number;
}
