/** The time of commands without `--budget`. */
export const usualBudget = '20m';
/** The message for a budget that budgetSecondsOf does not read. */
export const wrongBudget = '--budget takes a time from 10s to 24h, such as 90s, 20m or 2h.';

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

/** The seconds of "90s", "20m" or "2h"; null: the text is no such time, or not from 10 s to 24 h. */
export function budgetSecondsOf(budget: string): number | null {
  const [, count, unit = 's'] = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(budget) ?? [];
  const seconds = Number(count) * units[unit]!;
  return seconds >= 10 && seconds <= 86_400 ? seconds : null;
}
