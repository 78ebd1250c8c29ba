import type { KeptStatement } from '#engine-api/kept-statements.ts';
import { isOneOf, placedTokens } from '#model/statements/placed-tokens.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';

/** The most statements that a server is asked for. */
export const mostKept = 200;

const kept = ['select', 'insert', 'update', 'delete', 'merge', 'with', 'replace'];

/**
 * The statement without comments, and with `?` in place of each value that is written in it, because a server may keep
 * values of its users in some texts. Null: it is no statement that an experiment runs.
 */
export function withoutValues(text: string, language: StatementLanguage): string | null {
  const tokens = placedTokens(text, language);
  if (!isOneOf(tokens[0], ...kept)) return null;
  let written = '';
  for (const [i, { kind, start, end }] of tokens.entries()) {
    const before = tokens[i - 1];
    const between = before ? text.slice(before.end, start) : '';
    const isPlace = before?.end === start && /[$:?]/.test(text.slice(before.start, start));
    // Comments stand between tokens.
    written += /\S/.test(between) ? ' ' : between;
    written += kind === 'text' || (kind === 'number' && !isPlace) ? '?' : text.slice(start, end);
  }
  return written.replaceAll(/\s+/g, ' ').trim();
}

/** The statements in the order of the server, each text once, from rows of text, calls, mean time and rows. */
export function keptStatements(
  rows: readonly (readonly unknown[])[],
  language: StatementLanguage,
): readonly KeptStatement[] {
  const found = new Map<string, KeptStatement>();
  for (const [raw, calls, meanMs, rowsPerCall] of rows) {
    const text = withoutValues(String(raw), language);
    if (text !== null && !found.has(text))
      found.set(text, { text, calls: Number(calls), meanMs: Number(meanMs), rowsPerCall: Number(rowsPerCall) });
  }
  return [...found.values()];
}
