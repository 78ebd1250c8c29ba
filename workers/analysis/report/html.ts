/** HTML that is safe by construction: everything interpolated is escaped, unless it is Html itself. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | null | undefined | Html | readonly Html[];

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: parts.reduce((text, part, i) => text + markup(values[i - 1]) + part) };
}

/** Markup made by a program that escapes by itself (chart SVG). Never for text from a file, a server or a user. */
export const trusted = (text: string): Html => ({ markup: text });

function markup(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if (isList(value)) return value.map((item) => item.markup).join('');
  return value.markup;
}

const isList = (value: Html | readonly Html[]): value is readonly Html[] => Array.isArray(value);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char]!);
