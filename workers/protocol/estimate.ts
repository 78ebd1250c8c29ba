export interface Estimate {
  /** The same, unless the run may end when it knows enough. */
  readonly least: number;
  readonly most: number;
}
