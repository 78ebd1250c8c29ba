/**
 * HTML that is safe by construction: everything interpolated is escaped, unless it is Html itself. That is known by the
 * private field, which only the functions of this file can give: no data, from a run file say, can pass for it.
 */
class SafeHtml {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  /** The markup of Html and of lists of it; the text of everything else, escaped. */
  static markupOf(value: unknown): string {
    if (typeof value === 'object' && value !== null) {
      if (#markup in value) return value.#markup;
      if (Array.isArray(value)) return value.map(SafeHtml.markupOf).join('');
      // The types let no other object in: one that is here has come past them, and is shown as the data that it is.
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

/** Markup made by a program that escapes by itself (chart SVG). Never for text from a file, a server or a user. */
export const trusted = (text: string): Html => new SafeHtml(text);

/** The whole document, to be written to a file. */
export const htmlText = (page: Html): string => SafeHtml.markupOf(page);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char]!);
