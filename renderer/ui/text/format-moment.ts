const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the user's time zone and language: "Nov 27, 2026, 12:20 AM". `at`: ISO 8601. */
export const formatMoment = (at: string): string => format.format(new Date(at));
