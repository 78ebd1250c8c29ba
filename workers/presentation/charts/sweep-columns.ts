import type { Sweep } from '#analysis/compare/sweep.ts';

/** Columns for the factors besides the load, for tables of several sweeps. */
export function otherColumns(sweeps: readonly Sweep[]): {
  readonly names: readonly string[];
  readonly of: (sweep: Sweep) => readonly (string | number | null)[];
} {
  const names = [...new Set(sweeps.flatMap(({ others }) => Object.keys(others)))];
  return {
    names,
    of: ({ others }) =>
      names.map((name) => {
        const level = others[name];
        return typeof level === 'boolean' ? String(level) : (level ?? null);
      }),
  };
}
