import { firstWordsOf } from './statement-extent.ts';
import { partsOf, type StatementLanguage } from './statement-text.ts';

/** A text with parameters in the product's own notation. */
interface OwnParameters {
  /** The line of the first parameter, counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly sign: string;
  /** The text with :p1, :p2… in their place. */
  readonly text: string;
  readonly names: readonly string[];
}

/** Texts in which the server itself gives these parameters a value. */
const defining = /^(prepare|create|alter|do|declare)\b/;

/**
 * The parameters in the product's own notation ($1, ?, :1), to which Dyno assigns no value, and the text with named
 * ones in their place. Null: there are none. `taken`: existing parameter names of the statement.
 */
export function withNamedParameters(
  text: string,
  language: StatementLanguage,
  taken: readonly string[],
): OwnParameters | null {
  const { ownParameters } = language;
  if (ownParameters === undefined || defining.test(firstWordsOf(text, language))) return null;
  const pattern = new RegExp(ownParameters, 'g');
  const names = new Map<string, string>();
  let first: { readonly at: number; readonly sign: string } | null = null;
  let at = 0;
  let anonymous = 0;
  let written = '';
  for (const part of partsOf(text, language)) {
    if (part.kind === 'parameter' || part.kind === 'table') {
      const own = part.kind === 'parameter' ? `:${part.name}` : `{${part.name}}`;
      written += own;
      at += own.length;
      continue;
    }
    const start = at;
    at += part.text.length;
    written +=
      part.kind === 'quoted'
        ? part.text
        : part.text.replaceAll(pattern, (sign: string, offset: number) => {
            first ??= { at: start + offset, sign };
            // A sign without number or name is a different parameter each time.
            const key = /\w/.test(sign) ? sign : `${sign}${anonymous++}`;
            const name = names.get(key) ?? freeName(/\d+$/.exec(sign)?.[0] ?? String(names.size + 1), taken);
            names.set(key, name);
            return `:${name}`;
          });
  }
  if (first === null) return null;
  const { at: position, sign } = first as { readonly at: number; readonly sign: string };
  const before = text.slice(0, position).split('\n');
  return {
    line: before.length,
    column: before.at(-1)!.length + 1,
    sign,
    text: written,
    names: [...new Set(names.values())],
  };
}

function freeName(number: string, taken: readonly string[]): string {
  const name = `p${number}`;
  return taken.includes(name) ? freeName(`${number}_`, taken) : name;
}
