import { DynoError } from '../error.ts';

/** The texts of times: a day, with or without a time of day, up to nine digits of a second, and a zone. */
export const timePattern = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?)? ?(Z|[+-]\d\d(:?\d\d)?)?$/;

/**
 * Parses whole seconds (as ms since 1970) and the digits of the fraction. Without a zone, the time is UTC. Null: there
 * is no such day or time.
 */
export function timeOf(value: string): { readonly ms: number; readonly fraction: string } | null {
  const [, head = '', fraction = '', zone = ''] =
    /^(.{10}(?:[T ]\d\d:\d\d(?::\d\d)?)?)(?:\.(\d+))? ?(.*)$/.exec(value) ?? [];
  const time =
    head.length === 10
      ? `${head}T00:00:00`
      : head.length === 16
        ? `${head.replace(' ', 'T')}:00`
        : head.replace(' ', 'T');
  const ms = Date.parse(`${time}${zoneOf(zone)}`);
  // Date.parse would read the 30th of February as the 1st of March.
  const isDay = new Date(`${head.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(head.slice(8, 10));
  return Number.isNaN(ms) || !isDay ? null : { ms, fraction };
}

/** µs since 1970 of a text that {@link timeOf} reads; further digits of a second are dropped. */
export function microseconds(value: string): number {
  const { ms, fraction } = timeOf(value)!;
  return ms * 1_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}

/** Writes "2024-02-29 12:34:56.1234567+02" as "2024-02-29T10:34:56.1234567Z", with at least six digits of a second. */
export function exactTime(value: string): string {
  const time = timePattern.test(value) ? timeOf(value) : null;
  if (time === null) throw new DynoError('badInput', `“${value.slice(0, 60)}” is no timestamp.`);
  const { ms, fraction } = time;
  return `${new Date(ms).toISOString().slice(0, 19)}.${fraction.replace(/0+$/, '').padEnd(6, '0')}Z`;
}

/** Writes the zones "+02" and "+0200" as Date.parse reads them. */
const zoneOf = (zone: string): string => {
  if (zone === '' || zone === 'Z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
};
