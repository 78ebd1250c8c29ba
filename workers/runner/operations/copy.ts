import type { Database } from '#engine-api/database.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { Value } from '#model/batch/decode.ts';
import { batchOf } from '#model/batch/encode.ts';
import { keyIndex } from '#model/dataset/columns.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import type { ClientJob } from '#protocol/messages.ts';
import type { Phase } from '../loop/phase.ts';
import { createStatementCounters, type StatementCounters } from '../loop/statement-counters.ts';

type Row = readonly Value[];

/** The rows of a table, read once through a cursor and handed out to all connections. */
interface Source {
  /**
   * Returns this many rows, or the remaining ones. Requests are served in turn; `onTurn` is called when it is this
   * one's turn.
   */
  take(rows: number, onTurn: () => void): Promise<readonly Row[]>;
}

/** Opens a cursor over a table. `toError` maps errors of the engine that reads. */
export async function openSource(
  session: Session,
  table: TablePlan,
  settings: Settings,
  toError: (thrown: unknown) => ErrorData,
): Promise<Source> {
  // A scan sends no values, so the settings of binding apply to the insert.
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

/** The engine that reads maps the errors, because the inserting engine may be a different one. */
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
  let block: readonly Row[] = [];
  let next = 0;
  const gather = async (rows: number): Promise<readonly Row[]> => {
    const taken: Row[] = [];
    while (taken.length < rows) {
      if (next === block.length) {
        const { value, done } = await iterator.next();
        if (done) break;
        block = value;
        next = 0;
      }
      const end = Math.min(block.length, next + rows - taken.length);
      while (next < end) taken.push(block[next++]!);
    }
    return taken;
  };
  // The cursor serves one connection after another.
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

/** The counts of a copy's two parts, reading and inserting. `phase`: the running phase. */
export const copyCounters = (phase: () => Phase | null): StatementCounters =>
  createStatementCounters({ statements: [{ name: 'read' }, { name: 'insert' }], items: [] }, phase);

export interface CopyPlan {
  readonly source: Source;
  readonly table: TablePlan;
  /** Index of the column with new values. */
  readonly key: number | null;
  readonly counters: StatementCounters;
  readonly toError: (thrown: unknown) => ErrorData;
}

/** Opens the source target of a copy if it differs from the target. */
export type OpenSourceTarget = () => Promise<{
  readonly database: Database;
  readonly toError: (thrown: unknown) => ErrorData;
}>;

/** A copy whose source is open. */
interface OpenCopy extends CopyPlan, AsyncDisposable {
  /** The session that reads. */
  readonly session: Session;
}

/** Opens the session that reads the source table, on the job's source target where there is one. */
export async function openCopy(
  {
    database,
    channel,
    toError,
    openSourceTarget = noSourceTarget,
  }: {
    readonly database: Database;
    readonly channel: { readonly phase: Phase | null };
    readonly toError: (thrown: unknown) => ErrorData;
    readonly openSourceTarget?: OpenSourceTarget;
  },
  job: Pick<ClientJob, 'dataset' | 'table' | 'settings' | 'session' | 'sourceTarget'>,
  sourceTable: TablePlan,
): Promise<OpenCopy> {
  const { dataset, table, settings, sourceTarget } = job;
  await using opened = new AsyncDisposableStack();
  const elsewhere = sourceTarget ? await openSourceTarget() : null;
  if (elsewhere) opened.use(elsewhere.database);
  const session = opened.use(
    await (elsewhere?.database ?? database).openSession(
      sourceTable.options,
      settings.isolation,
      (sourceTarget ?? job).session,
    ),
  );
  const source = await openSource(session, sourceTable, settings, elsewhere?.toError ?? toError);
  const kept = opened.move();
  return {
    source,
    session,
    table,
    key: keyIndex(dataset),
    counters: copyCounters(() => channel.phase),
    toError,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const noSourceTarget: OpenSourceTarget = () => {
  throw new DynoError('internal', 'A copy has no source.');
};

/**
 * Copies rows from the source into the table with a new key each, which the call's batch contains. A call also waits
 * while other connections read, and encodes its rows when it runs; neither counts as reading or inserting.
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
