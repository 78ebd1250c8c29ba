import { firstWordsOf, isBatchText } from './statement-extent.ts';
import {
  partsOf,
  type StatementLanguage,
  type TransactionControl,
  transactionControls,
  wordsOf,
} from './statement-text.ts';

/** The transaction control of a text. */
export interface FoundControl {
  readonly kind: TransactionControl;
  /** Its first words as shown in a message: "BEGIN TRAN". */
  readonly words: string;
  /** True if it is also a command, whose fields put it into a transaction. */
  readonly isStep: boolean;
}

const shownWords = 4;

/**
 * The transaction control in a user's text, which cannot be measured as a statement; null: there is none. A block,
 * definition or batch that begins and ends a transaction itself does not count.
 */
export function transactionControlIn(text: string, language: StatementLanguage): FoundControl | null {
  const { transactionControl: patterns } = language;
  if (!patterns) return null;
  const words = language.language === 'json' ? keysOf(text) : firstWordsOf(text, language);
  const kind = transactionControls.find((one) => {
    const pattern = patterns[one];
    return pattern !== undefined && new RegExp(pattern).test(words);
  });
  if (kind === undefined || (kind === 'begins' && endsByItself(text, language))) return null;
  if (language.language === 'json') {
    const [command = '', ...fields] = words.split(' ');
    const isCommand = new RegExp(patterns[kind]!).test(command);
    const found = fields.filter((field) => new RegExp(patterns[kind]!).test(`${command} ${field}`));
    return { kind, words: isCommand ? command : found.join(', '), isStep: !isCommand };
  }
  return { kind, words: words.split(' ').slice(0, shownWords).join(' ').toUpperCase(), isStep: false };
}

/** A batch with control flow is sent as one text, and can end its own transaction. */
const endsByItself = (text: string, language: StatementLanguage): boolean =>
  isBatchText(text, language) &&
  wordsOf(partsOf(text, language)).some((word) => word === 'commit' || word === 'rollback');

/** The keys of a command in their order. */
function keysOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.keys(value).join(' ') : '';
  } catch {
    return '';
  }
}

/** Statements between the beginning and the end of a transaction. */
export interface TransactionGroup {
  /** The statement that began it; null: an implicit beginning. */
  readonly begin: string | null;
  readonly steps: readonly string[];
  /** The statement that ended it; null: the end of the list. */
  readonly end: string | null;
  /** True if a rollback ended it. */
  readonly isUndone: boolean;
}

/**
 * The transactions in a sequence of statements, by their transaction control. `controlOf`: the transaction control of a
 * statement, or null. Statements outside any transaction are left out.
 */
export function transactionGroups(
  names: readonly string[],
  controlOf: (name: string) => FoundControl | null,
): readonly TransactionGroup[] {
  const groups: TransactionGroup[] = [];
  let begin: string | null = null;
  let steps: string[] = [];
  /** Position of the first step that needs a transaction without one; -1: there is none. */
  let needy = -1;
  const close = (end: string | null, isUndone: boolean) => {
    if (begin !== null || end !== null) groups.push({ begin, steps, end, isUndone });
    else if (needy >= 0) groups.push({ begin, steps: steps.slice(needy), end, isUndone });
    begin = null;
    steps = [];
    needy = -1;
  };
  for (const name of names) {
    const control = controlOf(name);
    const kind = control?.kind;
    if (kind === 'ends' || kind === 'undoes') {
      close(name, kind === 'undoes');
      continue;
    }
    if (kind === 'isolates') continue;
    if (kind === 'begins' || kind === 'holds') {
      // BEGIN after SET autocommit = 0 begins no new transaction.
      if (kind === 'begins' && (begin === null || steps.length > 0)) close(null, false);
      if (kind === 'holds' && !control?.isStep) close(null, false);
      begin ??= name;
      if (!control?.isStep) continue;
    }
    if (kind === 'within' && needy < 0) needy = steps.length;
    steps.push(name);
  }
  close(null, false);
  return groups;
}

/** The isolation level in a text, by Dyno's name. `isolations`: the engine's words by Dyno's names. */
export function isolationIn(text: string, isolations: Readonly<Record<string, string>> = {}): string | undefined {
  const words = text.replaceAll(/\s+/g, ' ');
  return Object.entries(isolations).find(([, theirs]) => new RegExp(`\\b${theirs}\\b`, 'i').test(words))?.[0];
}
