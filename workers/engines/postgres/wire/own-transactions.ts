/*
 * Private members of pg that this file uses; driver-privates.test.ts has a contract for each: Submittable.handleError,
 * Submittable.handleReadyForQuery, Submittable.submit.
 */
import type pg from 'pg';
import { DynoError } from '#model/error.ts';
import { literal } from '../values/values.ts';
import { CallRequest } from './call-request.ts';

/**
 * The settings of a connection behind a pooler. A SET would stay on a server connection that the pool hands to somebody
 * else, and a killed worker could not take it back. So each transaction makes the settings for itself, and they end
 * with it (manual, "SET LOCAL").
 */
export class OwnTransactions {
  #settings: Readonly<Record<string, string>>;
  /** Session.begin() or a statement of Dyno's has begun a transaction, to which the next calls belong. */
  isOpen = false;

  constructor(settings: Readonly<Record<string, string>>) {
    this.#settings = settings;
  }

  /** True if calls need a transaction around them, because there are settings to make. */
  get isNeeded(): boolean {
    return Object.keys(this.#settings).length > 0;
  }

  /** The text that begins a transaction. */
  get begin(): string {
    return beginText(this.#settings);
  }

  /** Adds a setting for calls from now on. */
  set(name: string, value: string): void {
    this.#settings = { ...this.#settings, [name]: value };
  }
}

const levels = /^(?:serializable|repeatable read|read committed|read uncommitted)$/i;
const yes = /^(?:on|true|yes|t|y|1)$/i;

/** The defaults of transactions have no effect within one, so BEGIN takes them as modes. */
const modes: Readonly<Record<string, (value: string) => string>> = {
  default_transaction_isolation(value) {
    if (levels.test(value)) return `ISOLATION LEVEL ${value}`;
    throw new DynoError('badInput', `PostgreSQL has no isolation level “${value}”.`);
  },
  default_transaction_read_only: (value) => (yes.test(value) ? 'READ ONLY' : 'READ WRITE'),
  default_transaction_deferrable: (value) => (yes.test(value) ? 'DEFERRABLE' : 'NOT DEFERRABLE'),
};

/**
 * Begins a transaction with these settings, which end with it. It is a simple query, because it may have two
 * statements. Pure.
 */
export function beginText(settings: Readonly<Record<string, string>>): string {
  const all = Object.entries(settings).map(([name, value]) => [name.toLowerCase(), value] as const);
  // The last of equal names counts; they may be written in different cases.
  const begun = Object.entries(Object.fromEntries(all.filter(([name]) => modes[name])));
  const set = all.filter(([name]) => !modes[name]);
  const begin = ['BEGIN', begun.map(([name, value]) => modes[name]!(value)).join(', ')].filter(Boolean).join(' ');
  const calls = set.map(([name, value]) => `set_config(${literal(name)}, ${literal(value)}, true)`);
  return calls.length === 0 ? begin : `${begin}; SELECT ${calls.join(', ')}`;
}

/** Tries a setting and leaves nothing behind. Throws the server's objection. */
export async function trySetting(client: pg.Client, name: string, value: string): Promise<void> {
  try {
    await client.query(beginText({ [name]: value }));
  } finally {
    await client.query('ROLLBACK');
  }
}

/** Begins a read-only transaction. Settings of a connection behind a pooler are put between the two statements. */
export const beginReading = 'BEGIN; SET TRANSACTION READ ONLY';

const begins = /^BEGIN\b/;
const ends = /^(?:COMMIT|ROLLBACK)$/;
/** The server refuses these in a transaction. */
const standsAlone = /^VACUUM\b/;

/** The members of a request or a query that `pg` calls. */
interface Submitted {
  readonly text?: string;
  handleReadyForQuery(connection: unknown): void;
  handleError(error: unknown, connection: unknown): void;
  submit(connection: unknown): unknown;
}

/**
 * Makes each query of the driver run in a transaction that makes the settings, and without a name if the pool would
 * keep it. `namesNothing`: the pooler does not support named statements.
 */
export function queryInTransactions(client: pg.Client, own: OwnTransactions, namesNothing: boolean): void {
  const query = client.query.bind(client) as (config: unknown, values?: unknown) => unknown;
  let last: Promise<unknown> = Promise.resolve();
  let under = 0;
  /** A transaction is three queries, and no other query may come between them. */
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const turn = under++ === 0 ? step() : last.then(step);
    last = turn.then(
      () => under--,
      () => under--,
    );
    return turn;
  };
  const asked = (config: unknown, values: unknown): unknown => {
    // The lean path writes the transaction of its call itself; the driver only reads an answer in flight.
    if (config instanceof CallRequest) return query(config);
    const plain = namesNothing && isNamed(config) ? { ...config, name: undefined } : config;
    const text = typeof plain === 'string' ? plain : ((plain as Submitted).text ?? '');
    const isBegin = begins.test(text);
    const isEnd = ends.test(text);
    const isWithin = !own.isOpen && !isBegin && !isEnd && !standsAlone.test(text) && own.isNeeded;
    if (isBegin || isEnd) own.isOpen = isBegin;
    const begun = isBegin ? text.replace(begins, own.begin) : plain;
    if (isSubmitted(plain)) {
      if (isWithin) void inTurn(() => submitWithin(plain)).catch(() => {});
      else if (under > 0) void inTurn(async () => query(plain)).catch(() => {});
      else query(plain);
      return plain;
    }
    if (isWithin) return inTurn(() => queryWithin(plain, values));
    return under > 0 ? inTurn(async () => query(begun, values)) : query(begun, values);
  };
  // An error at the beginning fails the query too, and the query reports it.
  const begin = () => (query(own.begin) as Promise<unknown>).catch(() => {});
  const commit = () => query('COMMIT') as Promise<unknown>;
  const queryWithin = async (config: unknown, values: unknown): Promise<unknown> => {
    await begin();
    const answer = query(config, values) as Promise<unknown>;
    const [result, committed] = await Promise.allSettled([answer, commit()]);
    if (result.status === 'rejected') throw result.reason;
    if (committed.status === 'rejected') throw committed.reason;
    return result.value;
  };
  const submitWithin = async (request: Submitted): Promise<void> => {
    await begin();
    const { handleReadyForQuery: ready, handleError: fail } = request;
    // The caller is told when the transaction has ended, whatever its outcome.
    let answer = (): void => {};
    let failed = false;
    request.handleReadyForQuery = (connection) => {
      answer = () => ready.call(request, connection);
    };
    request.handleError = (error, connection) => {
      failed = true;
      answer = () => fail.call(request, error, connection);
    };
    query(request);
    try {
      await commit();
    } catch (error) {
      if (!failed) answer = () => fail.call(request, error, client.connection);
    }
    answer();
  };
  client.query = asked as typeof client.query;
}

const isSubmitted = (config: unknown): config is Submitted =>
  typeof (config as Partial<Submitted> | null)?.submit === 'function';

const isNamed = (config: unknown): config is { readonly name: string } =>
  typeof config === 'object' &&
  config !== null &&
  !isSubmitted(config) &&
  typeof (config as { name?: unknown }).name === 'string';
