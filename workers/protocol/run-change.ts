/** Kinds of differences between two runs, the most important first. */
export const changeKinds = [
  'version',
  'durability',
  'setting',
  'index',
  'schema',
  'statement',
  'workload',
  'variant',
  'server',
  'loadHost',
  'file',
  'price',
  'measurement',
  'driver',
  'dyno',
  'machine',
] as const;
/** A kind of difference between two runs. */
export type ChangeKind = (typeof changeKinds)[number];

/** A difference between two runs, as recorded in their files. */
export interface RunChange {
  readonly kind: ChangeKind;
  /** The setting, index, key of the experiment, driver or figure. */
  readonly what: string;
  /** The target or variant of the difference; null: the whole run. */
  readonly where: string | null;
  /** Null: absent from the run before. */
  readonly before: string | null;
  /** Null: absent from the later run. */
  readonly after: string | null;
}
