import { readsAsCommand } from './reading-commands.ts';
import { readsAsQuery, readsAsRequest } from './reading-queries.ts';
import { isRequest, type StatementLanguage } from './statement-text.ts';

/**
 * Commands of MongoDB that a transaction can contain, and whose changes it rolls back. The server refuses a stage that
 * stores a pipeline's output in a transaction.
 */
export const undoneCommands: readonly string[] = [
  ...['insert', 'update', 'delete', 'findAndModify'],
  ...['find', 'aggregate', 'distinct'],
];

/**
 * True if a text of a document store changes nothing; null: its language is SQL. An unparsable text counts as a write.
 */
export function readsAsDocument(text: string, language: StatementLanguage): boolean | null {
  switch (language.language) {
    case 'json':
      return readsAsCommand(text);
    case 'rql':
      return isRequest(text, language) ? readsAsRequest(text) : readsAsQuery(text);
    case 'sql':
      return null;
  }
}

/** The first key of a command; null if the text is no command. */
export function commandOf(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (Object.keys(value)[0] ?? null)
      : null;
  } catch {
    return null;
  }
}
