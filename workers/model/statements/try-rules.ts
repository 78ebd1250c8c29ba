import { nearestWord } from '../text/nearest-word.ts';
import { commandOf, readsAsDocument, undoneCommands } from './document-rules.ts';
import { extentOf, isBatchText } from './statement-extent.ts';
import { partsOf, type StatementLanguage, wordsOf } from './statement-text.ts';

const reading = ['select', 'with', 'values', 'table', 'show', 'describe', 'explain'];
const changing = ['insert', 'update', 'delete', 'merge', 'replace'];
const defining = ['create', 'alter', 'drop', 'truncate'];
/** Words that end a transaction, begin another, or run code that the rules cannot check. */
const leaving = ['commit', 'rollback', 'savepoint', 'begin', 'exec', 'execute', 'call', 'go', 'outfile', 'dumpfile'];

/** Words that begin T-SQL statements whose effects no rollback undoes; in a batch they may stand anywhere. */
const outsideTransactions = ['backup', 'checkpoint', 'dbcc', 'kill', 'reconfigure', 'restore', 'shutdown', 'use'];

/** Other words of T-SQL that begin a change. */
const changingInBatches = ['bulk', 'deny', 'disable', 'enable', 'grant', 'receive', 'revoke', 'send', 'writetext'];
/** Words that begin statements of T-SQL which change nothing. */
const readingInBatches = ['begin', 'break', 'continue', 'declare', 'else', 'end', 'if', 'print', 'raiserror', 'return'];

/** BEGIN of a block, and not of a transaction. `next`: the word behind it. */
const beginsBlock = (word: string, next: string, { blocks }: StatementLanguage): boolean =>
  word === 'begin' && blocks?.notBefore?.includes(next) === false;

/** `next`: the word behind it, in a batch; null: the text is no batch. */
const leaves = (word: string, next: string | null, language: StatementLanguage): boolean =>
  next === null
    ? leaving.includes(word)
    : outsideTransactions.includes(word) || (leaving.includes(word) && !beginsBlock(word, next, language));

/** True for the words of a batch that changes nothing. */
const mayRead = (word: string, next: string, language: StatementLanguage): boolean =>
  !leaves(word, next, language) &&
  ![...changing, ...defining, ...changingInBatches, 'into'].includes(word) &&
  (!language.beginnings?.words.includes(word) ||
    [...reading, ...readingInBatches, 'set', 'throw', 'try', 'waitfor', 'while'].includes(word));

/** True if the text itself changes nothing; functions that it calls may. */
export function looksLikeRead(text: string, language: StatementLanguage): boolean {
  const asDocument = readsAsDocument(text, language);
  if (asDocument !== null) return asDocument;
  const words = wordsOf(partsOf(text, language));
  if (isBatchText(text, language)) return !words.some((word, i) => !mayRead(word, words[i + 1] ?? '', language));
  return reading.includes(words[0] ?? '') && !words.some((word) => changing.includes(word) || word === 'into');
}

/**
 * Why a statement is not tried, as a sentence; null: it changes nothing, or a rollback undoes its changes. `undoes`:
 * true if the target can roll back, else the reason as a sentence.
 */
export function whyNotTried(
  text: string,
  language: StatementLanguage,
  declaredRead: boolean | undefined,
  cannotRollBack: string | null,
): string | null {
  if (language.language === 'json' && commandOf(text) === null) return 'Its text is no command in JSON.';
  const isRead = declaredRead !== false && looksLikeRead(text, language);
  if (language.language === 'sql') {
    const reason = whyNotSql(text, language);
    if (reason !== null) return reason;
  }
  if (isRead) return null;
  if (cannotRollBack !== null) return `It changes data, and that could not be undone: ${cannotRollBack}`;
  if (language.language === 'json' && !undoneCommands.includes(commandOf(text) ?? ''))
    return `A transaction cannot hold ${commandOf(text) ?? 'this'}: it could not be undone.`;
  return null;
}

function whyNotSql(text: string, language: StatementLanguage): string | null {
  const parts = partsOf(text, language);
  if (extentOf(text, language).next) return 'It is several statements: what one of them commits could not be undone.';
  if (parts.some((part) => part.kind === 'quoted' && /^\/\*M?!/.test(part.text)))
    return 'It has a comment that the server carries out: what that does may lie outside the transaction.';
  const words = wordsOf(parts);
  const isBatch = isBatchText(text, language);
  const left = words.find((word, i) => leaves(word, isBatch ? (words[i + 1] ?? '') : null, language));
  if (left !== undefined)
    return `It has the word ${left.toUpperCase()}: what that does may lie outside the transaction that is rolled back.`;
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

/** Other first words of statements, of all engines: none of them is a mistyped query. */
const otherCommands = (
  'abort analyse analyze attach backup begin call checkpoint close cluster comment commit copy deallocate declare ' +
  'detach discard disconnect do end exec execute fetch flush grant handler help import install kill listen load lock ' +
  'move notify optimize perform pragma prepare purge rebuild reassign refresh reindex release rename repair reset ' +
  'restart restore resignal return revoke rollback save savepoint security set shutdown signal start stop undrop ' +
  'uncache unlisten uninstall unload unlock use vacuum xa'
).split(' ');

/**
 * The word that a statement's mistyped first word was meant to be; null where it is another command, or resembles none.
 * No statement begins with a mistyped one: the server says best what is wrong, and changes nothing.
 */
const meantWord = (word: string): string | null =>
  word.length > 3 && !otherCommands.includes(word) ? nearestWord(word, [...reading, ...changing]) : null;
