import { constants, type DatabaseSync } from 'node:sqlite';
import type { StatementPlan } from '#engine-api/statement.ts';
import { DynoError } from '#model/error.ts';
import { firstWord } from '../shared/custom-statement.ts';
import { statementLanguage } from './descriptor.ts';

/** Pragmas that only read, or change only the session. Others reach files or change their format. */
const harmlessPragmas = new Set([
  ...['table_info', 'table_xinfo', 'table_list', 'index_info', 'index_xinfo', 'index_list', 'foreign_key_list'],
  ...['foreign_key_check', 'integrity_check', 'quick_check', 'optimize', 'analysis_limit'],
  ...['automatic_index', 'busy_timeout', 'cache_size', 'cache_spill', 'case_sensitive_like', 'defer_foreign_keys'],
  ...['foreign_keys', 'ignore_check_constraints', 'query_only', 'read_uncommitted', 'recursive_triggers'],
  ...['reverse_unordered_selects', 'temp_store', 'threads', 'wal_checkpoint'],
]);
/** Functions of SQLite's shell and of old libraries, which Node's library lacks. */
const reachingFunctions = new Set(['load_extension', 'fts3_tokenizer', 'readfile', 'writefile', 'edit', 'fsdir']);

/**
 * Refuses a custom text that would reach beyond the target's file, because the library runs in this process with all
 * rights of its user. The library's own authorizer decides while it compiles the text, once and outside of the clock.
 * Throws 'permission'.
 */
export function vet(database: DatabaseSync, { text }: Pick<StatementPlan, 'text'>, compiled: string): void {
  const word = firstWord(text, statementLanguage);
  // SQLite asks the authorizer about VACUUM only when it runs, and compiles the text behind an empty statement.
  if (word === '') throw refusal('A text that begins with no word');
  if (word === 'vacuum' && /\binto\b/i.test(text)) throw refusal('VACUUM INTO');
  let refused: string | null = null;
  database.setAuthorizer((action, first, second) => {
    const what = whatReaches(action, first, second);
    refused ??= what;
    return what === null ? constants.SQLITE_OK : constants.SQLITE_DENY;
  });
  try {
    database.prepare(compiled);
  } catch (error) {
    if (refused !== null) throw refusal(refused);
    // Other texts may name tables that another statement creates; these four name none, so their errors count.
    if (['attach', 'detach', 'pragma', 'vacuum'].includes(word)) throw error;
  } finally {
    database.setAuthorizer(null);
  }
}

function whatReaches(action: number, first: string | null, second: string | null): string | null {
  switch (action) {
    case constants.SQLITE_ATTACH:
      return 'ATTACH';
    case constants.SQLITE_DETACH:
      return 'DETACH';
    case constants.SQLITE_PRAGMA:
      return second === null || harmlessPragmas.has(String(first).toLowerCase()) ? null : `PRAGMA ${first} = ${second}`;
    case constants.SQLITE_FUNCTION:
      return reachingFunctions.has(String(second).toLowerCase()) ? `${second}()` : null;
    default:
      return null;
  }
}

const refusal = (what: string): DynoError =>
  new DynoError('permission', `${what} reaches beyond the target’s file: no statement of an experiment may do that.`, {
    hint: 'Journal mode, page size and the like are settings of the target.',
  });
