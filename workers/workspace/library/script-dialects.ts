import { catalog } from '#engines/catalog.ts';
import type { ScriptNotation, StatementLanguage } from '#model/statements/statement-text.ts';
import { transactionControlIn } from '#model/statements/transaction-control.ts';
import { readScript, type Script } from './script-reader.ts';

/** The language of an unknown script: PostgreSQL's dollar quotes do no harm elsewhere. */
const unknown: StatementLanguage = {
  language: 'sql',
  quoting: ['dollar'],
  blocks: {
    notBefore: ['', ';', 'transaction', 'tran', 'work', 'isolation', 'read', 'immediate', 'deferred', 'exclusive'],
  },
  transactionControl: {
    within: '^(savepoint|release|rollback (work |transaction )?to)\\b',
    ends: '^(commit|end)\\b',
    undoes: '^rollback\\b',
    begins: '^(begin|start transaction)\\b',
  },
};

/** The same language without dollar quotes: declarations before a BEGIN, and the block after them, belong together. */
const unknownProcedures: StatementLanguage = {
  ...unknown,
  wholeTexts: '^declare\\b|^create (\\S+ )*(procedure|function|package)\\b',
};

/** The syntax of an engine's scripts. */
export interface Dialect {
  /** The engine's id. */
  readonly id: string;
  readonly label: string;
  readonly language: StatementLanguage;
}

/** The dialects that a script can be in. */
export const dialects: readonly Dialect[] = catalog.flatMap(({ descriptor: { id, label, statements } }) =>
  statements?.language === 'sql' && statements.scripts ? [{ id, label, language: statements }] : [],
);

/** A parsed script, and the source of its dialect. */
interface ReadScript extends Script {
  /** Null if its syntax fits no product. */
  readonly dialect: Dialect | null;
  readonly language: StatementLanguage;
  readonly known: 'given' | 'recognised' | 'unknown';
  /** Dialects in which an unknown script reads differently, so that only the user can decide. */
  readonly otherwise: readonly Dialect[];
}

/** Reads a script in the given dialect, or in the dialect that its syntax shows. `most`: see readScript. */
export function readInDialect(script: string, most: number, given?: Dialect): ReadScript {
  const dialect = given ?? recognised(script);
  if (dialect)
    return {
      ...readScript(script, dialect.language, most),
      dialect,
      language: dialect.language,
      known: given ? 'given' : 'recognised',
      otherwise: [],
    };
  const language = /\$\w*\$/.test(script) ? unknown : unknownProcedures;
  const read = readScript(script, language, most);
  const plain = textsOf(read);
  // A BEGIN alone begins a transaction, not a block.
  const begins = /^[ \t]*begin[ \t]*;/im.test(script);
  const likely = dialects.filter((one) => !begins || transactionControlIn('BEGIN', one.language)?.kind === 'begins');
  const otherwise = likely.filter((one) => textsOf(readScript(script, one.language, most)) !== plain);
  return { ...read, dialect: null, language, known: 'unknown', otherwise };
}

const textsOf = ({ items, left }: Script): string =>
  JSON.stringify([items.map((one) => ('text' in one ? one.text : one)), left]);

/** Commands of the client are stronger signs than words that other products may also have. */
const weightOfLine = 3;

function scoreOf({ signs, delimiter, batchEnd }: ScriptNotation, script: string): number {
  const count = (patterns: readonly (string | undefined)[]) =>
    patterns.filter((one) => one !== undefined && new RegExp(one, 'im').test(script)).length;
  return count(signs) + weightOfLine * count([delimiter, batchEnd]);
}

/** The dialect with the most signs; null if two have the same number, or none has any. */
export function recognised(script: string): Dialect | null {
  const scored = dialects
    .map((dialect) => ({
      dialect,
      score: scoreOf(dialect.language.scripts!, script),
    }))
    .sort((a, b) => b.score - a.score);
  const [first, second] = scored;
  return first && first.score > (second?.score ?? 0) ? first.dialect : null;
}
