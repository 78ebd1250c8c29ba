/** The values that a new experiment begins with. */
export interface NewExperimentDefaults {
  readonly targets: readonly string[];
  readonly repeats: number;
  readonly seconds: number;
}

export const standardDefaults: NewExperimentDefaults = {
  targets: ['embedded-postgres', 'sqlite'],
  repeats: 3,
  seconds: 1,
};

/** The limits of these values. */
export const defaultLimits = { repeats: { min: 1, max: 1_000 }, seconds: { min: 0.1, max: 86_400 } } as const;
