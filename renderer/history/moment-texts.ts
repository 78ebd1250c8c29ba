import type { MomentTexts } from '#presentation/charts/kit/run-series.ts';

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' });

/** A day in the user's time zone and language: "Nov 18", with its year unless it is this year. */
export const formatDay = (at: string): string => {
  const date = new Date(at);
  return (date.getFullYear() === new Date().getFullYear() ? day : dayOfYear).format(date);
};

/** The texts of moments at the axis of a history. */
export const momentTexts: MomentTexts = { day: formatDay, time: (at) => time.format(new Date(at)) };
