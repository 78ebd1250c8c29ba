/**
 * The time of an entry in ms since 1970: `2026-11-30T22:00:00.123456Z`, or `261130 22:00:00`, which has no zone and is
 * taken as this machine's. Null: it cannot be read.
 */
export function localTime(text: string): number | null {
  const short = /^(\d\d)(\d\d)(\d\d)\s+(\d?\d):(\d\d):(\d\d)/.exec(text);
  if (short) {
    const [year, month, day, hour, minute, second] = short.slice(1).map(Number);
    return new Date(2_000 + year!, month! - 1, day!, hour!, minute!, second!).getTime();
  }
  const at = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
