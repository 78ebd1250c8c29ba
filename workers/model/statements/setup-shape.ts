import { placedTokens } from './placed-tokens.ts';
import { readTokens } from './read-tokens.ts';
import { partsOf, type StatementLanguage, tableOfString } from './statement-text.ts';

/** The shape of a statement, or the reason, as a sentence, why it has none. */
type SetupShape = { readonly shape: string } | { readonly why: string };

/**
 * A statement of `setup` or `teardown` as words and signs with a space between them: words in lower case, `"` for a
 * name in quotes, `'` for a text, `0` for a number, `{own}` for a placeholder among `own` and `{}` for any other. Of a
 * command in JSON: its keys in order, with such placeholders as their values (`create={own} viewOn={} pipeline`). Pure.
 */
export function setupShape(text: string, language: StatementLanguage, own: readonly string[]): SetupShape {
  const placeholder = (name: string) => (own.includes(name) ? '{own}' : '{}');
  if (language.language !== 'sql') return commandShape(text, placeholder);
  const tokens = placedTokens(text, language);
  // Comments that a server carries out, and quotes that it may read otherwise, could hide another statement before the
  // name. Behind it, the server takes one statement alone.
  const first = tokens.find(({ kind }) => kind === 'table');
  const head = readTokens(text.slice(0, first?.end), language);
  if (typeof head === 'string') return { why: head };
  if (partsOf(text, language).some((part) => part.kind === 'quoted' && isCarriedOut(part.text)))
    return { why: 'It has a comment that a server carries out.' };
  const words = tokens.map(({ kind, text: word }) => {
    switch (kind) {
      case 'table':
        return placeholder(word);
      case 'name':
        return '"';
      case 'text':
        return "'";
      case 'number':
        return '0';
      case 'parameter':
        return `:${word}`;
      default:
        return word;
    }
  });
  return { shape: words.join(' ').replace(/(?: ;)+$/, '') };
}

/** True for a comment of MySQL's and MariaDB's that is code to some versions: it could name another table. */
const isCarriedOut = (quoted: string): boolean => /^\/\*\s*[a-z]{0,4}!/i.test(quoted);

function commandShape(text: string, placeholder: (name: string) => string): SetupShape {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return { why: 'It is no command.' };
    const keys = Object.entries(parsed).map(([key, value]: [string, unknown]) => {
      const table = typeof value === 'string' ? tableOfString(value) : null;
      return table === null ? key : `${key}=${placeholder(table)}`;
    });
    return { shape: keys.join(' ') };
  } catch {
    return { why: 'It is no JSON.' };
  }
}
