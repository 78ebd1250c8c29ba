import { nearestWord } from '../text/nearest-word.ts';
import { commandOf, undoneCommands } from './document-rules.ts';
import { readTokens } from './read-tokens.ts';
import { readsOnly } from './reads-only.ts';
import { extentOf, isBatchText } from './statement-extent.ts';
import type { StatementLanguage } from './statement-text.ts';

const reading = ['select', 'with', 'values', 'table', 'show', 'describe', 'explain'];
const changing = ['insert', 'update', 'delete', 'merge', 'replace'];
const defining = ['create', 'alter', 'drop', 'truncate'];
/** Words that end a transaction, begin another, or run code that the rules cannot check. */
const leaving = ['commit', 'rollback', 'savepoint', 'begin', 'exec', 'execute', 'call', 'go', 'outfile', 'dumpfile'];

/** Words that begin T-SQL statements whose effects no rollback undoes; in a batch they may be anywhere. */
const outsideTransactions = ['backup', 'checkpoint', 'dbcc', 'kill', 'reconfigure', 'restore', 'shutdown', 'use'];

/** True for the BEGIN of a block instead of a transaction. `next`: the following word. */
const beginsBlock = (word: string, next: string, { blocks }: StatementLanguage): boolean =>
  word === 'begin' && blocks?.notBefore?.includes(next) === false;

/** `next`: the following word in a batch; null: the text is no batch. */
const leaves = (word: string, next: string | null, language: StatementLanguage): boolean =>
  next === null
    ? leaving.includes(word)
    : outsideTransactions.includes(word) || (leaving.includes(word) && !beginsBlock(word, next, language));

/**
 * The reason why a statement cannot be tried, as a sentence; null: it changes nothing, or a rollback undoes its
 * changes. `undoes`: true if the target can roll back, otherwise the reason as a sentence.
 */
export function notTriedText(
  text: string,
  language: StatementLanguage,
  declaredRead: boolean | undefined,
  cannotRollBack: string | null,
): string | null {
  if (language.language === 'json' && commandOf(text) === null) return 'Its text is no command in JSON.';
  const isRead = readsOnly(text, language);
  if (language.language === 'sql' && !isRead) {
    const reason = notSqlText(text, language);
    if (reason !== null) return reason;
  }
  if (isRead && declaredRead !== false) return null;
  if (cannotRollBack !== null) return `It changes data, and that could not be undone: ${cannotRollBack}`;
  if (language.language === 'json' && !undoneCommands.includes(commandOf(text) ?? ''))
    return `A transaction cannot hold ${commandOf(text) ?? 'this'}: it could not be undone.`;
  return null;
}

function notSqlText(text: string, language: StatementLanguage): string | null {
  if (extentOf(text, language).next) return 'It is several statements: what one of them commits could not be undone.';
  const tokens = readTokens(text, language);
  const isClear = typeof tokens !== 'string';
  if (!isClear && /\/\*\s*[a-z]{0,4}!/i.test(text))
    return 'It has a comment that the server carries out: what that does may lie outside the transaction.';
  if (!isClear && /;(?!\s*$)/.test(text)) return `It may be several statements, of which one commits. ${tokens}`;
  // If a server may tokenize a text differently, one parser's quoted words are another's code, so all words count.
  const words = isClear
    ? tokens.flatMap(({ kind, text: word }) => (kind === 'word' ? [word] : []))
    : (text.toLowerCase().match(/[a-z_][a-z0-9_$]*/g) ?? []);
  const isBatch = isBatchText(text, language);
  const left = words.find((word, i) => leaves(word, isBatch ? (words[i + 1] ?? '') : null, language));
  if (left !== undefined)
    return `It has the word ${left.toUpperCase()}: what that does may lie outside the transaction that is rolled back.`;
  const outlives = language.reads?.outlives?.split(' ').find((name) => text.toLowerCase().includes(name));
  if (outlives !== undefined) return `It names ${outlives}, whose effects no rollback undoes.`;
  const [first = ''] = words;
  if (defining.includes(first))
    return language.undoesDdl
      ? null
      : `${first.toUpperCase()} commits by itself on this engine: it could not be undone.`;
  if (isBatch || reading.includes(first) || changing.includes(first)) return null;
  const meant = meantWord(first);
  if (meant !== null && !language.callsByName) return null;
  const only = 'only queries, and changes that a rollback undoes, are tried.';
  if (meant !== null)
    return `${first.toUpperCase()}: did you mean ${meant.toUpperCase()}? A procedure of this name would be called; ${only}`;
  return `${first === '' ? 'It has no word to go by' : first.toUpperCase()}: ${only}`;
}

/** Other first words of statements, of all engines, which are no mistyped queries. */
const otherCommands = (
  'abort analyse analyze attach backup begin call checkpoint close cluster comment commit copy deallocate declare ' +
  'detach discard disconnect do end exec execute fetch flush grant handler help import install kill listen load lock ' +
  'move notify optimize perform pragma prepare purge rebuild reassign refresh reindex release rename repair reset ' +
  'restart restore resignal return revoke rollback save savepoint security set shutdown signal start stop undrop ' +
  'uncache unlisten uninstall unload unlock use vacuum xa'
).split(' ');

/**
 * The intended first word of a mistyped statement; null if it is another command, or resembles none. No statement
 * begins with a mistyped word, so the server reports the error best, and changes nothing.
 */
const meantWord = (word: string): string | null =>
  word.length > 3 && !otherCommands.includes(word) ? nearestWord(word, [...reading, ...changing]) : null;
