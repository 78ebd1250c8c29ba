/**
 * HTML that is safe by construction: every interpolated value is escaped unless it is Html itself. Html is recognised
 * by its private field, which only the functions of this file can set, so that data from a run file cannot pass for it.
 */
class SafeHtml {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  /** Returns the markup of Html and of lists of it, and the escaped text of all other values. */
  static markupOf(value: unknown): string {
    if (typeof value === 'object' && value !== null) {
      if (#markup in value) return value.#markup;
      if (Array.isArray(value)) return value.map(SafeHtml.markupOf).join('');
      // The types forbid other objects. An object that arrives nevertheless is escaped as data.
      return escapeHtml(JSON.stringify(value));
    }
    return value === null || value === undefined ? '' : escapeHtml(String(value));
  }
}
export type Html = SafeHtml;

type Value = string | number | null | undefined | Html | readonly Html[];

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new SafeHtml(parts.reduce((text, part, i) => text + SafeHtml.markupOf(values[i - 1]) + part));
}

/**
 * Marks the output of a program that escapes by itself (chart SVG) as safe. Never use it for text from a file, a server
 * or a user.
 */
export const trusted = (text: string): Html => new SafeHtml(text);

/** The whole document, ready to be written to a file. */
export const htmlText = (page: Html): string => SafeHtml.markupOf(page);

/** A text in which no line ends within an interval: word joiners stand around each dash. */
export const unbrokenRanges = (text: string): string => text.replaceAll('–', '\u2060–\u2060');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char]!);
