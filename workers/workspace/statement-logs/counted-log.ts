import type { KeptStatement, KeptStatements, OtherKind, SeenValues } from '#engine-api/kept-statements.ts';
import type { LoggedCalls, NotCalls } from '#engine-api/statement-log.ts';
import { placedTokens } from '#model/statements/placed-tokens.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { createTexts } from './read-texts.ts';
import { newNotes, noteValue, seenOf, unquotedLiteral, type ValueNotes } from './seen-values.ts';

/** The choice of entries. */
export interface LogChoice {
  /** Entries before this time, in ms since 1970, are left out. Null: none. */
  readonly since: number | null;
  /** Only statements of this database are counted. Null: those of all. */
  readonly database: string | null;
  /** True: the values themselves are kept for the experiment. */
  readonly keepValues: boolean;
}

/**
 * The entries of logs: entries = calls + parts + messages + plans + failed + before + elsewhere + undated. Each is a
 * number of entries.
 */
export interface LogBalance {
  readonly entries: number;
  /** Entries that tell of a call, or of several calls of one text. */
  readonly calls: number;
  /** Parts of calls, such as parsing, whose time counts with their text. */
  readonly parts: number;
  readonly messages: number;
  readonly plans: number;
  /** Statements that ended with an error. */
  readonly failed: number;
  /** Statements before `since`, of other databases, and, with `since`, without a time that can be read. */
  readonly before: number;
  readonly elsewhere: number;
  readonly undated: number;
  /** Calls without a time among calls that have one. */
  readonly untimed: number;
}

/** The sums of one text. */
interface Sums {
  calls: number;
  ms: number;
  timed: number;
  rows: number;
  withRows: number;
  literals: ValueNotes[] | null;
  numbered: ValueNotes[] | null;
  noted: number;
}

/** The sums of texts that no experiment has. */
interface OtherSums {
  count: number;
  calls: number;
  ms: number;
  readonly words: Set<string>;
}

/** The most statements that are handed on, as from a server. */
const mostStatements = 200;
/** The most texts in memory, and the number that stays when there are more. */
const mostTexts = 20_000;
const keptTexts = 10_000;
const mostCharacters = 48 * 1_024 * 1_024;
/** The most calls of a text whose values are looked at. */
const mostNoted = 10_000;
const mostWords = 5;
/** The most parameters of a text whose values are looked at. */
const mostParameters = 100;

/** Adds up the calls of logs, with a bounded number of different texts: the rarest are counted as rare ones. */
export function createCountedLog(language: StatementLanguage, choice: LogChoice) {
  const read = createTexts(language);
  const found = new Map<string, Sums>();
  const others = new Map<OtherKind, OtherSums>();
  const databases = new Map<string, number>();
  let characters = 0;
  let first: number | null = null;
  let timed = 0;
  const balance = {
    ...{ entries: 0, calls: 0, parts: 0, messages: 0, plans: 0, failed: 0, before: 0, elsewhere: 0, undated: 0 },
    untimed: 0,
  };

  const otherOf = (kind: OtherKind) => {
    const one = others.get(kind) ?? { count: 0, calls: 0, ms: 0, words: new Set<string>() };
    others.set(kind, one);
    return one;
  };
  const asRare = (sums: Sums) => {
    const rare = otherOf('rare');
    rare.count++;
    rare.calls += sums.calls;
    rare.ms += sums.ms;
  };
  /** The texts with the most time first; without times those with the most calls. */
  const ordered = () => [...found].toSorted(([, a], [, b]) => b.ms - a.ms || b.calls - a.calls);
  const forget = () => {
    for (const [text, sums] of ordered().slice(Math.min(keptTexts, Math.floor(found.size / 2)))) {
      found.delete(text);
      characters -= text.length;
      asRare(sums);
    }
  };
  const sumsOf = (text: string): Sums => {
    const before = found.get(text);
    if (before) return before;
    if (found.size >= mostTexts || characters > mostCharacters) forget();
    const sums = { calls: 0, ms: 0, timed: 0, rows: 0, withRows: 0, literals: null, numbered: null, noted: 0 };
    found.set(text, sums);
    characters += text.length;
    return sums;
  };
  const note = (notes: ValueNotes[] | null, values: readonly (string | null)[]): ValueNotes[] => {
    const all = notes ?? values.slice(0, mostParameters).map(() => newNotes(choice.keepValues));
    for (const [i, one] of all.entries()) if (i < values.length) noteValue(one, values[i]!);
    return all;
  };

  function calls({ text, calls: count, ms, rows, at, database, values, isCut = false }: LoggedCalls): void {
    balance.entries++;
    if (choice.since !== null && at === null) return void balance.undated++;
    if (choice.since !== null && at! < choice.since) return void balance.before++;
    if (database !== null && count > 0 && (databases.has(database) || databases.size < 1_000))
      databases.set(database, (databases.get(database) ?? 0) + count);
    if (choice.database !== null && database !== choice.database) return void balance.elsewhere++;
    if (count === 0) balance.parts++;
    else balance.calls++;
    if (at !== null) {
      first = first === null ? at : Math.min(first, at);
    }
    if (ms === null) balance.untimed += count;
    else timed += count;
    const { counted, literals } = typeof text === 'string' ? read(text, isCut) : { counted: text, literals: [] };
    if ('kind' in counted) {
      const other = otherOf(counted.kind);
      // A text of this kind is told from others by its first words alone: its rest may have values.
      if (counted.words !== '' && other.words.size < mostWords) other.words.add(counted.words);
      other.count++;
      other.calls += count;
      other.ms += ms ?? 0;
      return;
    }
    const sums = sumsOf(counted.text);
    sums.calls += count;
    sums.ms += ms ?? 0;
    if (ms !== null) sums.timed += count;
    if (rows !== null) {
      sums.rows += rows;
      sums.withRows += count;
    }
    if (sums.noted >= mostNoted) return;
    sums.noted++;
    if (literals.length > 0) sums.literals = note(sums.literals, literals.map(unquotedLiteral));
    if (values !== undefined && values.length > 0) sums.numbered = note(sums.numbered, values);
  }

  function other(kind: NotCalls): void {
    balance.entries++;
    if (kind === 'message') balance.messages++;
    else if (kind === 'plan') balance.plans++;
    else balance.failed++;
  }

  /** The values in the order in which the text names them first. */
  function seenIn(text: string, { literals, numbered }: Sums): readonly SeenValues[] | null {
    if (language.language !== 'sql' || (literals === null && numbered === null)) return null;
    const seen: SeenValues[] = [];
    const named = new Set<number>();
    let literal = 0;
    const tokens = placedTokens(text, language);
    const none = seenOf(newNotes(false));
    for (const [i, token] of tokens.entries()) {
      if (token.kind !== 'sign') continue;
      const next = tokens[i + 1];
      if (token.text === '$' && next?.kind === 'number' && next.start === token.end) {
        const at = Number(next.text);
        if (!named.has(at)) seen.push(numbered?.[at - 1] ? seenOf(numbered[at - 1]!) : none);
        named.add(at);
      } else if (token.text === '?') {
        seen.push(literals?.[literal] ? seenOf(literals[literal]!) : none);
        literal++;
      }
    }
    return seen;
  }

  return {
    sink: { calls, other },
    balance: (): LogBalance => ({ ...balance, untimed: timed > 0 ? balance.untimed : 0 }),
    /** The databases with their numbers of calls, the most frequent first. */
    databases: () => [...databases].toSorted(([, a], [, b]) => b - a),
    /** The statements as a server would tell them. It can be asked once. */
    kept(): KeptStatements {
      const all = ordered();
      // The time of parts whose call is not in the logs has no call to which it could belong.
      const [usable, partial] = [all.filter(([, one]) => one.calls > 0), all.filter(([, one]) => one.calls === 0)];
      for (const [, sums] of [...usable.slice(mostStatements), ...partial]) asRare(sums);
      const statements = usable.slice(0, mostStatements).map(([text, sums]): KeptStatement => {
        const values = seenIn(text, sums);
        return {
          ...{ text, calls: sums.calls, meanMs: sums.timed > 0 ? sums.ms / sums.calls : null },
          rowsPerCall: sums.withRows > 0 ? sums.rows / sums.withRows : null,
          ...(values && { values }),
        };
      });
      const rest = [...others].map(([kind, { count, calls: all, ms, words }]) => ({
        ...{ kind, texts: count, calls: all, totalMs: ms, words: [...words] },
      }));
      const sum = (of: (one: { readonly calls: number; readonly ms: number }) => number) =>
        usable.slice(0, mostStatements).reduce((total, [, one]) => total + of(one), 0);
      return {
        totalMs: sum(({ ms }) => ms) + rest.reduce((total, { totalMs }) => total + totalMs, 0),
        totalCalls: sum((one) => one.calls) + rest.reduce((total, one) => total + one.calls, 0),
        since: first === null ? null : new Date(first).toISOString(),
        statements,
        others: rest.toSorted((a, b) => b.totalMs - a.totalMs || b.calls - a.calls),
      };
    },
  };
}
