import { requestOf } from './json-request.ts';
import { isRequest, partsOf, type StatementLanguage, wordsOf } from './statement-text.ts';

/** Commands of MongoDB that change nothing; an aggregate with $out or $merge does. */
const readingCommands = ['find', 'aggregate', 'count', 'distinct', 'listCollections', 'listIndexes', 'ping', 'dbStats'];

/** Commands of MongoDB whose changes a transaction can hold and roll back. */
export const undoneCommands: readonly string[] = ['insert', 'update', 'delete', 'findAndModify'];

/** True if a text of a document store changes nothing; null: its language is SQL. */
export function readsAsDocument(text: string, language: StatementLanguage): boolean | null {
  switch (language.language) {
    case 'json': {
      const command = commandOf(text);
      return command !== null && readingCommands.includes(command) && !/"\$(out|merge)"/.test(text);
    }
    case 'rql': {
      if (!isRequest(text, language)) return readsAsQuery(text, language);
      const request = requestOf(text);
      return request?.kind === 'query'
        ? readsAsDocument(String(request.body.Query), language)
        : request?.kind === 'load';
    }
    case 'sql':
      return null;
  }
}

const readsAsQuery = (text: string, language: StatementLanguage): boolean =>
  !wordsOf(partsOf(text, language)).includes('update');

/** The first key of a command; null where the text is not a command. */
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
