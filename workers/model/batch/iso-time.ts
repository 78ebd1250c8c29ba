const dayUs = 86_400_000_000;

/** Writes a time (µs since 1970, years 0 to 9999) as 27 ASCII bytes: "2024-02-29T12:34:56.000789Z". */
export function writeIsoTime(us: number, to: Uint8Array, at: number): void {
  const days = Math.floor(us / dayUs);
  let rest = us - days * dayUs;
  const { year, month, day } = dateOf(days);
  digits(to, at, 4, year);
  to[at + 4] = dash;
  digits(to, at + 5, 2, month);
  to[at + 7] = dash;
  digits(to, at + 8, 2, day);
  to[at + 10] = 0x54; // T
  const part = (unit: number): number => {
    const whole = Math.floor(rest / unit);
    rest -= whole * unit;
    return whole;
  };
  digits(to, at + 11, 2, part(3_600_000_000));
  to[at + 13] = colon;
  digits(to, at + 14, 2, part(60_000_000));
  to[at + 16] = colon;
  digits(to, at + 17, 2, part(1_000_000));
  to[at + 19] = 0x2e; // .
  digits(to, at + 20, 6, rest);
  to[at + 26] = 0x5a; // Z
}

const dash = 0x2d;
const colon = 0x3a;

function digits(to: Uint8Array, at: number, count: number, value: number): void {
  let rest = value;
  for (let i = at + count - 1; i >= at; i--) {
    const next = Math.floor(rest / 10);
    to[i] = 0x30 + rest - next * 10;
    rest = next;
  }
}

/** The Gregorian date of a day since 1970 (H. Hinnant, "chrono-compatible low-level date algorithms"). */
function dateOf(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}
