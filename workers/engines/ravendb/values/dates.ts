import { DynoError } from '#model/error.ts';
import type { RavenOptions } from '../options.ts';

/** The form in which documents have timestamps. */
export type Dates = RavenOptions['dates'];

/** µs since 1970 as a document has it: "2024-02-29T12:34:56.0007890Z", "2024-02-29 12:34:56.000789" or a number. */
export function writeDate(us: number, dates: Dates): string | number {
  if (dates === 'ticks') return us;
  const ms = Math.floor(us / 1_000);
  const iso = new Date(ms).toISOString().slice(0, -1);
  const micro = String(us - ms * 1_000).padStart(3, '0');
  // Only seven digits and a Z make a date in UTC to the server; without the T the text is no date.
  return dates === 'date' ? `${iso}${micro}0Z` : `${iso.replace('T', ' ')}${micro}`;
}

/** "2024-02-29T12:34:56.0007891Z" as a document has it: the server's dates have seven digits of a second. */
export function writeExactDate(iso: string, dates: Dates): string | number {
  const [, seconds = '', digits = ''] = /^(.{19})\.(\d{6,7})0*Z$/.exec(iso) ?? [];
  const isExact = dates === 'date' ? digits !== '' : /^\d{6}0?$/.test(digits);
  if (!isExact) throw new DynoError('badInput', `${iso} has more digits of a second than a date of a document.`);
  if (dates === 'ticks') return Date.parse(`${seconds}Z`) * 1_000 + Number(digits.slice(0, 6));
  return dates === 'date'
    ? `${seconds}.${digits.padEnd(7, '0')}Z`
    : `${seconds.replace('T', ' ')}.${digits.slice(0, 6)}`;
}

/** Converts such a text back to µs, exactly. */
export function readDate(stored: unknown): number {
  if (typeof stored === 'number') return stored;
  const [, day = '', time = '', ms = '0', micro = '0'] =
    /^(.+)[T ](\d\d:\d\d:\d\d)\.(\d{3})(\d{3})/.exec(String(stored)) ?? [];
  return Date.parse(`${day}T${time}.${ms}Z`) * 1_000 + Number(micro);
}
