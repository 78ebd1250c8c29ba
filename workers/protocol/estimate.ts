/** Expected duration of a run, in seconds. */
export interface Estimate {
  /** Equals `most`, unless the run may end early. */
  readonly least: number;
  readonly most: number;
  /** The duration if the run ends after as many rounds as the same experiment did before; null if that is unknown. */
  readonly likely: number | null;
}
