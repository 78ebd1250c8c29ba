import type { Batch } from '#contract/batch.ts';
import type { TablePlan } from '#contract/dataset.ts';
import type { Value } from '#contract/decode.ts';
import { batchOf } from '#contract/encode.ts';
import type { Operation, Session } from '#contract/engine.ts';
import { DynoError, type ErrorData } from '#contract/error.ts';
import { defaultSettings, type Settings } from '#contract/settings.ts';
import type { Phase } from '../loop/phase.ts';
import { createStatementCounters, type StatementCounters } from '../loop/statement-counters.ts';

type Row = readonly Value[];

/** The rows of a table, read once through a cursor, for whoever asks next. */
export interface Source {
  /** So many rows, or what is left, when those who asked before have theirs: `onTurn` tells. */
  take(rows: number, onTurn: () => void): Promise<readonly Row[]>;
}

/** `toError`: of the engine that reads. */
export async function openSource(
  session: Session,
  table: TablePlan,
  settings: Settings,
  toError: (thrown: unknown) => ErrorData,
): Promise<Source> {
  // Settings of how values are sent are the insert's: a scan sends none.
  const plan = {
    ...settings,
    operation: 'scan',
    method: 'prepared',
    orderBy: '',
    nullBinding: defaultSettings.nullBinding,
  } as const;
  const scan = await session.prepare({ table, operation: 'scan', method: 'prepared', settings: plan });
  if (!scan.blocks) throw new DynoError('unsupported', 'This engine does not hand out the rows that it reads.');
  return sourceOf(withErrors(scan.blocks(), toError));
}

/** What goes wrong is told as the engine that reads has it: the one that inserts may be another. */
async function* withErrors<T>(blocks: AsyncIterable<T>, toError: (thrown: unknown) => ErrorData): AsyncIterable<T> {
  try {
    yield* blocks;
  } catch (thrown) {
    const error = toError(thrown);
    throw new DynoError(error.kind, error.message, error);
  }
}

export function sourceOf(blocks: AsyncIterable<readonly Row[]>): Source {
  const iterator = blocks[Symbol.asyncIterator]();
  let there: readonly Row[] = [];
  let next = 0;
  const gather = async (rows: number): Promise<readonly Row[]> => {
    const taken: Row[] = [];
    while (taken.length < rows) {
      if (next === there.length) {
        const { value, done } = await iterator.next();
        if (done) break;
        there = value;
        next = 0;
      }
      const end = Math.min(there.length, next + rows - taken.length);
      while (next < end) taken.push(there[next++]!);
    }
    return taken;
  };
  // One connection's turn after the other's.
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(rows, onTurn) {
      const taken = last.then(() => {
        onTurn();
        return gather(rows);
      });
      last = taken.catch(() => {});
      return taken;
    },
  };
}

/** What a copy is made of, each counted by itself. `phase`: the one that runs. */
export const copyCounters = (phase: () => Phase | null): StatementCounters =>
  createStatementCounters({ statements: [{ name: 'read' }, { name: 'insert' }], items: [] }, phase);

export interface CopyPlan {
  readonly source: Source;
  readonly table: TablePlan;
  /** Index of the column whose values are made anew. */
  readonly key: number | null;
  readonly counters: StatementCounters;
  readonly toError: (thrown: unknown) => ErrorData;
}

/**
 * Rows from the source, with a new key each, into the table. A call's batch has the keys; waiting for other connections to read, and encoding the
 * rows, which are only there when it runs, are parts of it, and of neither the reading nor the inserting.
 */
export function copyInto(insert: Operation, { source, table, key, counters, toError }: CopyPlan): Operation<Batch> {
  const types = table.columns.map(({ type }) => type);
  const [reading, inserting] = counters.statements;
  const counted = async <T>(
    counts: typeof reading,
    rows: number,
    work: (begins: () => void) => Promise<T> | T,
  ): Promise<T> => {
    let start = performance.now();
    const begins = () => {
      start = performance.now();
    };
    try {
      const result = await work(begins);
      counters.succeeded(counts ?? null, start, performance.now(), rows);
      return result;
    } catch (thrown) {
      counters.failed(counts ?? null, start, performance.now(), toError(thrown).kind);
      throw thrown;
    }
  };
  return {
    layout: null,
    encode: (keys) => keys,
    async run(keys) {
      const rows = await counted(reading, keys.rows, (begins) => source.take(keys.rows, begins));
      if (rows.length < keys.rows) throw new DynoError('wrongResult', 'The source has fewer rows than were loaded.');
      const { columns, ...batch } = batchOf(rows, types);
      const fresh = columns.map((column, c) => (c === key ? keys.columns[0]! : column));
      const ready = insert.encode({ ...batch, columns: fresh });
      return counted(inserting, keys.rows, () => insert.run(ready));
    },
  };
}
