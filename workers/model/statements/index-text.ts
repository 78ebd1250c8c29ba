import { isMapping } from '../is-mapping.ts';
import { isSign, placedTokens } from './placed-tokens.ts';
import { isComment, partsOf, type StatementLanguage } from './statement-text.ts';

/** A word that no text contains by chance; it stays code if every quote before it is closed. */
const end = 'dyno_end_of_text';

/**
 * The reason why a condition or an expression of an index is more or less than one expression of columns; null: it is
 * one. Dyno puts brackets around the text, so a text whose own brackets and quotes are closed cannot end the statement.
 */
export function indexTextProblem(text: string, language: StatementLanguage): string | null {
  if (language.language === 'json') return jsonProblem(text);
  if (language.language !== 'sql') return 'It is in SQL or JSON, which this engine does not take for indexes.';
  const parts = partsOf(`${text} ${end}`, language);
  const last = parts.at(-1);
  if (last?.kind !== 'code' || !last.text.endsWith(` ${end}`)) return 'It has a quote or a comment that is not closed.';
  if (parts.some((part) => part.kind === 'quoted' && isComment(part.text))) return 'It may have no comments.';
  const tokens = placedTokens(text, language);
  if (tokens.length === 0) return 'It is empty.';
  if (tokens.some((token) => isSign(token, ';'))) return 'It may be followed by no second statement (;).';
  const parameter = tokens.find(({ kind }) => kind === 'parameter' || kind === 'table');
  if (parameter)
    return `It has ${parameter.kind === 'table' ? `{${parameter.text}}` : `:${parameter.text}`}, and an index has no parameters and no other tables.`;
  let depth = 0;
  for (const token of tokens) {
    if (isSign(token, '(')) depth++;
    if (isSign(token, ')') && --depth < 0) return 'It closes a bracket that it has not opened.';
  }
  return depth > 0 ? 'It has a bracket that is not closed.' : null;
}

function jsonProblem(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMapping(value) ? null : 'It is no object in JSON.';
  } catch {
    return 'It is not JSON: { "amount": { "$gt": 100 } }.';
  }
}
