import { type TextChoice, textFor } from '#experiment/statements/statement-mix.ts';
import { type RowMeaning, rowMeaning } from '#model/statements/row-meaning.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { StatementSpec } from '#model/statements/statements.ts';

/** The meaning of the rows of a statement, as its text on a target reads; null: it has no text there. */
export function statementMeaning(
  { text, isRead }: Pick<StatementSpec, 'text'> & { readonly isRead?: boolean | undefined },
  choice: TextChoice,
  language: StatementLanguage,
): RowMeaning | null {
  const own = textFor(text, choice);
  if (own === null) return null;
  const meaning = rowMeaning(own, language);
  // A query may change rows by functions that it calls, and nothing but the file tells of that.
  const changes = isRead === false && meaning.command === 'select';
  return changes ? { ...meaning, command: 'other', changes: null } : meaning;
}
