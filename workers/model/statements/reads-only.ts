import { readsAsDocument } from './document-rules.ts';
import {
  beforeOperands,
  bracketWords,
  infixWords,
  type ReadRules,
  standardFunctions,
  standardReads,
  wordsBehind,
} from './read-rules.ts';
import { type ReadToken, readTokens } from './read-tokens.ts';
import { extentOf, isBatchText } from './statement-extent.ts';
import type { StatementLanguage } from './statement-text.ts';

/**
 * The reason why a text may write, as a sentence; null: it only reads. Production connections, trust questions and
 * tries all use this judgement: an unparsable text counts as a write, whatever its file declares. Pure.
 */
export function mayWriteText(text: string, language: StatementLanguage): string | null {
  const asDocument = readsAsDocument(text, language);
  if (asDocument === null) return sqlMayWriteText(text, language);
  return asDocument ? null : 'It is no command or query that only reads.';
}

/** True if a text only reads ({@link mayWriteText}). */
export const readsOnly = (text: string, language: StatementLanguage): boolean => mayWriteText(text, language) === null;

/**
 * The reason why an SQL text may write, by an allow-list of reading words; null: it only reads. It does not cover views
 * and custom operators of the server, whose functions only the server knows.
 */
function sqlMayWriteText(text: string, language: StatementLanguage): string | null {
  const tokens = readTokens(text, language);
  if (typeof tokens === 'string') return tokens;
  const isBatch = language.reads !== undefined && isBatchText(text, language);
  if (!isBatch && extentOf(text, language).next) return 'It is several statements.';
  const last = tokens.findLastIndex((token) => !isSign(token, ';'));
  const all = tokens.slice(0, last + 1);
  if (all.length === 0) return 'It has no word to go by.';
  const reader = new Reader(all, language.reads ?? standardReads, isBatch);
  return reader.whyNot();
}

const listed = new Map<string, ReadonlySet<string>>();

/** The words of a list as a cached set. */
function wordsIn(list: string): ReadonlySet<string> {
  const found = listed.get(list) ?? new Set(list.split(' '));
  listed.set(list, found);
  return found;
}

const isIn = (list: string | undefined, word: string): boolean => list !== undefined && wordsIn(list).has(word);

const isSign = (token: ReadToken | undefined, sign: string): boolean => token?.kind === 'sign' && token.text === sign;

/** Words of writing statements; as names they need quotes, or a point before them. */
const changing = 'insert update delete merge into';

/** Words that may follow FOR in a text that reads. */
const behindFor = 'xml json system_time browse order group join unknown ordinality';

/** Words before a bracket in which FOR has another meaning. */
const withFor = 'substring substr overlay position trim pivot unpivot';

/** Words of T-SQL that begin parts of a batch without side effects. */
const ofBatches = 'begin break continue declare else end if print return set while';

/** The most statements of a text and its WITH. */
const mostStatements = 500;

/** Words after which BEGIN begins no block. */
const notBehindBegin = 'tran transaction distributed dialog conversation atomic';

class Reader {
  readonly #tokens: readonly ReadToken[];
  readonly #rules: ReadRules;
  readonly #isBatch: boolean;
  /** Number of checked statements: the text, and the statements of its WITH. */
  #statements = 0;
  /** Positions of names of common table expressions, which a bracket follows although they are no functions. */
  readonly #named = new Set<number>();

  constructor(tokens: readonly ReadToken[], rules: ReadRules, isBatch: boolean) {
    this.#tokens = tokens;
    this.#rules = rules;
    this.#isBatch = isBatch;
  }

  whyNot(): string | null {
    return this.#whyNotStatement(0) ?? this.#whyNotWords();
  }

  #word(at: number): string {
    const token = this.#tokens[at];
    return token?.kind === 'word' ? token.text : '';
  }

  #sign(at: number, sign: string): boolean {
    return isSign(this.#tokens[at], sign);
  }

  /** The position after the bracket that closes the one at `at`. */
  #behindBracket(at: number): number {
    let depth = 0;
    for (let i = at; i < this.#tokens.length; i++) {
      if (this.#sign(i, '(')) depth++;
      else if (this.#sign(i, ')') && --depth === 0) return i + 1;
    }
    return this.#tokens.length;
  }

  /** The position of the bracket that the one at `at` closes. */
  #bracketOf(at: number): number {
    let depth = 0;
    for (let i = at; i >= 0; i--) {
      if (this.#sign(i, ')')) depth++;
      else if (this.#sign(i, '(') && --depth === 0) return i;
    }
    return 0;
  }

  #whyNotStatement(start: number): string | null {
    if (++this.#statements > mostStatements) return 'It has too many queries within each other.';
    let at = start;
    while (this.#sign(at, '(')) at++;
    const { written = 'nothing' } = this.#tokens[at] ?? {};
    const word = this.#word(at);
    if (this.#isBatch && isIn(ofBatches, word)) return null;
    if (word === '' || word !== written.toLowerCase() || !isIn(this.#rules.heads, word))
      return `It begins with ${written.toUpperCase()}, which is no statement that only reads.`;
    if (word === 'with') return this.#whyNotWith(at + 1);
    if (word === 'explain' || word === 'describe' || word === 'desc') return this.#whyNotExplained(at + 1);
    return null;
  }

  /** The common table expressions, and the statement after them. */
  #whyNotWith(start: number): string | null {
    let at = start;
    if (this.#word(at) === 'recursive') at++;
    for (;;) {
      const { kind } = this.#tokens[at] ?? {};
      if (kind !== 'word' && kind !== 'name') return 'Its WITH names nothing.';
      this.#named.add(at++);
      if (this.#sign(at, '(')) at = this.#behindBracket(at);
      if (this.#word(at) !== 'as') return 'Its WITH is none of queries alone.';
      at++;
      if (this.#word(at) === 'not') at++;
      if (this.#word(at) === 'materialized') at++;
      if (!this.#sign(at, '(')) return 'Its WITH is none of queries alone.';
      const why = this.#whyNotStatement(at + 1);
      if (why !== null) return why;
      at = this.#behindBracket(at);
      // SEARCH … SET x, CYCLE … SET x USING y.
      if (/^(search|cycle)$/.test(this.#word(at)))
        while (at < this.#tokens.length && !this.#sign(at, ',') && this.#word(at) !== 'select') at++;
      if (!this.#sign(at, ',')) return this.#whyNotStatement(at);
      at++;
    }
  }

  /** EXPLAIN has options and a statement; DESCRIBE may have a table and one of its columns. */
  #whyNotExplained(start: number): string | null {
    const { explains, heads } = this.#rules;
    let at = start;
    if (this.#sign(at, '(') && isIn(explains, this.#word(at + 1))) {
      const end = this.#behindBracket(at);
      for (at++; at < end - 1; at++)
        if (!this.#sign(at, ',') && this.#tokens[at]?.kind !== 'number' && !isIn(explains, this.#word(at)))
          return `Its EXPLAIN has the option ${this.#tokens[at]!.written.toUpperCase()}, which may do more than explain.`;
      at = end;
    }
    while (isIn(explains, this.#word(at)) || (at > start && this.#sign(at, '='))) at++;
    if (this.#sign(at, '(') || isIn(heads, this.#word(at))) return this.#whyNotStatement(at);
    const rest = this.#tokens.slice(at);
    // DESCRIBE shop.orders id.
    const shape = rest.map(({ kind, text }) => (kind === 'word' || kind === 'name' ? 'n' : text)).join('');
    const isTable =
      isIn(heads, 'describe') && /^n(\.n)?n?$/.test(shape) && !/^(analy[sz]e|replace)$/.test(this.#word(at));
    if (isTable) return null;
    return `Its EXPLAIN is of ${rest[0]?.written.toUpperCase() ?? 'nothing'}, which is no statement that only reads.`;
  }

  #whyNotWords(): string | null {
    for (let at = 0; at < this.#tokens.length; at++) {
      const why = this.#whyNotWord(at) ?? (this.#sign(at + 1, '(') ? this.#whyNotCall(at) : null);
      if (why !== null) return why;
    }
    return null;
  }

  #whyNotWord(at: number): string | null {
    const { text, kind, written } = this.#tokens[at]!;
    if (kind === 'table' && this.#sign(at + 1, '(')) return `It has a bracket behind {${written}}.`;
    if (this.#isBatch && kind === 'sign' && text === ';') return null;
    if (kind === 'sign' && text === ';') return 'It is several statements.';
    if (kind !== 'word') return null;
    const { functions, refused, refusedBeginnings = '', qualified } = this.#rules;
    const next = this.#word(at + 1);
    const says = `It has the word ${written.toUpperCase()}, which may write.`;
    if (text === 'nextval' || (text === 'for' && /^(next|previous)$/.test(this.#word(at - 2)))) return says;
    for (const beginning of refusedBeginnings.split(' '))
      if (
        beginning !== '' &&
        text.startsWith(beginning) &&
        !isIn(functions, text) &&
        !isIn(qualified, this.#qualifiedAt(at))
      )
        return says;
    if (this.#sign(at - 1, '.')) return null;
    const isListed = this.#sign(at - 1, '(') || this.#sign(at - 1, ',');
    const isHint =
      (text === 'use' && isListed && /^(hint|plan)$/.test(next)) || (text === 'merge' && /^(join|union)$/.test(next));
    if (isHint) return null;
    if (isIn(changing, text) && !(this.#sign(at + 1, '(') && isIn(this.#rules.functions, text))) return says;
    if (text === 'for' && !this.#readsFor(at)) return says;
    if (text === 'lock' && next === 'in') return says;
    if (text === 'fetch' && isIn(refused, text) && /^(next|first)$/.test(next) && /^rows?$/.test(this.#word(at - 1)))
      return null;
    if (this.#isBatch && isIn(ofBatches, text)) return this.#whyNotInBatch(at);
    // SHOW CREATE PROCEDURE, SHOW PROCEDURE STATUS.
    if (text === 'procedure' && this.#word(0) === 'show' && at <= 2) return null;
    return isIn(refused, text) ? says : null;
  }

  /** The name of a function with its qualifier, if the word is the first of the two. */
  #qualifiedAt(at: number): string {
    return this.#sign(at + 1, '.') ? `${this.#word(at)}.${this.#word(at + 2)}` : '';
  }

  /** This FOR does not lock the rows read. */
  #readsFor(at: number): boolean {
    const next = this.#tokens[at + 1];
    if (next === undefined) return false;
    if (at === 2 && this.#word(0) === 'show' && this.#word(1) === 'grants') return true;
    if (next.kind !== 'word') return next.kind === 'number' || next.kind === 'parameter' || isSign(next, '(');
    if (isIn(behindFor, next.text)) return true;
    // FOR READ ONLY, FOR FETCH ONLY.
    if (/^(read|fetch)$/.test(next.text)) return this.#word(at + 2) === 'only';
    if (/^(update|share|no|key)$/.test(next.text)) return false;
    let depth = 0;
    for (let i = at; i > 0; i--) {
      if (this.#sign(i, ')')) depth++;
      else if (this.#sign(i, '(') && depth-- === 0) return isIn(withFor, this.#word(i - 1));
    }
    return false;
  }

  #whyNotInBatch(at: number): string | null {
    const { text } = this.#tokens[at]!;
    const next = this.#tokens[at + 1];
    const says = `It has the word ${text.toUpperCase()}, which may write.`;
    // DECLARE c CURSOR, SET IMPLICIT_TRANSACTIONS ON.
    if (text === 'declare' || text === 'set') return next?.kind === 'variable' ? null : says;
    return text === 'begin' && next?.kind === 'word' && isIn(notBehindBegin, next.text) ? says : null;
  }

  /** A word or name before a bracket. */
  #whyNotCall(at: number): string | null {
    const { kind, text, written } = this.#tokens[at]!;
    if (kind === 'sign' || this.#named.has(at)) return null;
    // Oracle's mark of an outer join: b.id (+).
    if (this.#sign(at + 2, '+') && this.#sign(at + 3, ')')) return null;
    const { functions, qualified, methods, explains } = this.#rules;
    const says = `It calls ${written}(), which Dyno does not know as a function that only reads.`;
    // A bracket after anything but a name is refused: on some servers 1_000 is a name, and @f a sign and a name.
    if (kind !== 'word' && kind !== 'name') return says;
    if (this.#isAlias(at)) return null;
    // A name that folds to a known word is a different function.
    if (kind === 'name' || text !== written.toLowerCase()) return says;
    const isKnown = isIn(functions, text) || wordsIn(standardFunctions).has(text);
    if (this.#sign(at - 1, '.')) {
      const before = this.#tokens[at - 2];
      const isWhole = !this.#sign(at - 3, '.');
      if (before?.kind === 'word' && isWhole) {
        if (isIn(qualified, `${before.text}.${text}`)) return null;
        if (isKnown && isIn(qualified, `${before.text}.*`)) return null;
      }
      return isIn(methods, text) ? null : `${says.replace(written, `${before?.written ?? ''}.${written}`)}`;
    }
    if (isKnown) return null;
    switch (text) {
      case 'over':
      case 'filter':
        return this.#sign(at - 1, ')') ? null : says;
      case 'group':
        return this.#word(at - 1) === 'within' ? null : says;
      case 'system':
      case 'bernoulli':
        return this.#word(at - 1) === 'tablesample' ? null : says;
      case 'repeatable':
        return this.#sign(at - 1, ')') ? null : says;
      case 'explain':
        return explains === undefined ? says : null;
      default:
        return this.#isKeyword(at) ? null : says;
    }
  }

  /** A word before a bracket that no server interprets as a function in this position. */
  #isKeyword(at: number): boolean {
    const text = this.#word(at);
    const before = this.#word(at - 1);
    if (isIn(bracketWords, text) || isIn(wordsBehind.get(text), before)) return true;
    if (isIn(infixWords, text)) return this.#endsOperand(before === 'not' ? at - 2 : at - 1);
    const isListed = this.#sign(at - 1, ',') || this.#sign(at - 1, '(');
    switch (text) {
      case 'materialized':
        return before === 'not' && this.#word(at - 2) === 'as';
      case 'lateral':
        return isListed && isIn('select values with', this.#word(at + 2));
      case 'join':
        return before === 'for' ? isIn('index key', this.#word(at - 2)) : this.#endsOperand(at - 1);
      case 'index':
        return isListed && this.#opensBehind(at, 'with') !== null;
      case 'cube':
      case 'rollup':
        return (before === 'by' || isListed) && this.#isGrouped(at);
      default:
        return false;
    }
  }

  /** An operand, or a name, ends here, so no function follows. */
  #endsOperand(at: number): boolean {
    const token = this.#tokens[at];
    if (token === undefined) return false;
    if (token.kind === 'sign') return token.text === ')' || token.text === ']';
    return token.kind !== 'word' || this.#sign(at - 1, '.') || !isIn(beforeOperands, token.text);
  }

  /** The position of the open bracket around `at`, if this word precedes it. */
  #opensBehind(at: number, word: string): number | null {
    let depth = 0;
    for (let i = at - 1; i > 0; i--) {
      if (this.#sign(i, ')')) depth++;
      else if (this.#sign(i, '(') && depth-- === 0) return this.#word(i - 1) === word ? i : null;
    }
    return null;
  }

  /** True if the word is in the list of a GROUP BY, or of its GROUPING SETS. */
  #isGrouped(at: number): boolean {
    for (let i = at - 1; i > 0; i--) {
      if (this.#sign(i, ')')) i = this.#bracketOf(i);
      else if (this.#sign(i, '(') && this.#word(i - 1) !== 'sets') return false;
      else if (isIn('group order by select', this.#word(i)))
        return this.#word(i) === 'by' && this.#word(i - 1) === 'group';
    }
    return false;
  }

  /** A name with a list of columns, or a type with its length: AS v(a, b), ::numeric(9, 2), FROM f(x) v(a). */
  #isAlias(at: number): boolean {
    const before = this.#word(at - 1);
    if (before === 'as' || this.#sign(at - 1, '::')) return true;
    if (before === 'ordinality') return true;
    if (!this.#sign(at - 1, ')')) return false;
    const open = this.#bracketOf(at - 1);
    let from = open - 1;
    const isCall = this.#tokens[from]?.kind === 'word' && !this.#isKeyword(from);
    const isQuery = isIn('select values with table', this.#word(open + 1)) || this.#sign(open + 1, '(');
    if (!isCall && !isQuery) return false;
    if (isCall) from--;
    while (this.#sign(from, '.')) from -= 2;
    return isIn('from join lateral apply', this.#word(from)) || this.#sign(from, ',');
  }
}
