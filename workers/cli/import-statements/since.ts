const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const duration = /^(\d{1,5})([mhdw])$/;
const time = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** The reason why `--since` cannot have this value; null: it can. */
export const sinceProblem = (value: string): string | null =>
  sinceOf(value, 0) === null ? 'takes a duration (30m, 2h, 7d) or a time (2026-11-30T22:00:00Z).' : null;

/** The time that a duration before now, or an ISO time, means, in ms since 1970; null: there is none. */
export function sinceOf(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const [, count, unit] = duration.exec(value) ?? [];
  if (unit !== undefined) return now - Number(count) * units[unit]!;
  const at = time.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
