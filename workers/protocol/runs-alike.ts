/** The complete runs of an experiment that measured the same thing as a run: their difference is drift. */
export interface RunsAlike {
  readonly ids: readonly string[];
  readonly times: readonly TimesOfRuns[];
}

/** A figure of the times of one cell in these runs. */
export interface TimesOfRuns {
  /** The variant's label and the target, which identify the cell in every run. */
  readonly label: string;
  readonly target: string;
  /** The statement, transaction or scenario; null: all units of work of the cell. */
  readonly work: string | null;
  /** The figure: "p99", "mean". */
  readonly quantity: string;
  /** The runs by their ids, oldest first, each with its time in ms. */
  readonly runs: readonly { readonly id: string; readonly value: number }[];
}
