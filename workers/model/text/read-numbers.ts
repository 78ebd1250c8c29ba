import { type NumberRules, readNumber } from './read-number.ts';

/** A list of numbers as typed by a person. */
interface ReadNumbers {
  /** The items: numbers, and texts that are not understood. */
  readonly items: readonly (number | string)[];
  /** The reason why an item is invalid, as a sentence; null: all are valid. */
  readonly problem: string | null;
  /** The parsed items, if the text is ambiguous. */
  readonly understood: string | null;
}

/**
 * Parses numbers separated by commas, or by semicolons, which allow decimal commas. Without a semicolon, a comma always
 * separates items: 0,5 is the items 0 and 5, which `understood` mentions; in 1,000 the item 000 is a problem.
 */
export function readNumbers(typed: string, rules: NumberRules = {}): ReadNumbers {
  const hasSemicolons = typed.includes(';');
  const texts = typed
    .split(hasSemicolons ? ';' : ',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const read = texts.map((text) => ({
    text,
    ...readNumber(text, { ...rules, decimalSign: hasSemicolons ? ',' : (rules.decimalSign ?? '.') }),
  }));
  const items = read.map(({ text, value }) => (isPadded(text) ? text : (value ?? text)));
  const padded = texts.find(isPadded);
  const problem =
    padded !== undefined && !hasSemicolons
      ? `“${padded}” begins with zeros. Commas separate the numbers: write a thousand as 1000, and decimals with a point.`
      : (read.find((one) => one.problem !== null)?.problem ?? null);
  const isPlain = read.every((one) => one.understood === null) && (hasSemicolons || !/,\S/.test(typed));
  return { items, problem, understood: isPlain || problem !== null ? null : `= ${items.join('; ')}` };
}

/** "000" and "05": parts of a number with commas, rather than numbers. */
const isPadded = (text: string): boolean => /^0\d/.test(text);
