import type { Cannot, Reproducer, StatementParts } from '#engine-api/reproducer.ts';
import type { Place } from '#engines/shared/sql/statements.ts';
import type { Settings } from '#model/settings/settings.ts';
import { type ReproducedCell, reads } from './reproduced-cell.ts';
import { singleParts, statementParts } from './statement-parts.ts';

/** The end of a phase: rows before and in the measurement, or seconds. */
type ScriptEnds =
  | { readonly warmupRows: number; readonly rows: number; readonly warmupSeconds?: never; readonly seconds?: never }
  | { readonly warmupSeconds: number; readonly seconds: number; readonly warmupRows?: never; readonly rows?: never };

type ScriptWork = ScriptEnds &
  Pick<ReproducedCell['work'], 'operation' | 'method'> &
  Pick<ReproducedCell, 'trialSeed' | 'sent' | 'loadedRows'> &
  Pick<Settings, 'connections' | 'callsPerCommit' | 'rowsPerCall' | 'fetchSize'> & {
    readonly seed: number;
    readonly key: number | null;
    readonly reads: boolean;
  };

/** The work of a script, as numbers and words that every language reads. */
export function workOf(cell: ReproducedCell): ScriptWork {
  const { work, plan, dataset, sent, loadedRows, trialSeed } = cell;
  const { operation, method, settings, table } = work;
  const { connections, rowsPerCall, callsPerCommit, fetchSize } = settings;
  const { until, rows, seconds, warmupRows, warmupSeconds, calls = 0 } = plan.measure;
  const isDelete = operation === 'delete';
  const measured = until === 'calls' ? calls * rowsPerCall : rows;
  const before = until === 'rows' ? warmupRows : 0;
  const most = isDelete ? Math.min(measured, loadedRows - before) : measured;
  const perCall =
    until === 'rows' && operation !== 'scan'
      ? Math.max(1, Math.min(rowsPerCall, Math.ceil(most / connections)))
      : rowsPerCall;
  return {
    ...{
      operation,
      method,
      seed: dataset.seed,
      trialSeed,
      key: table.key,
      sent,
      loadedRows,
      connections,
      callsPerCommit,
    },
    ...{ rowsPerCall: operation === 'scan' ? Math.max(1, loadedRows) : perCall, fetchSize, reads: reads(cell) },
    ...(until === 'time' ? { warmupSeconds, seconds } : { warmupRows: before, rows: most }),
  };
}

/** The statements of a script. */
interface ScriptStatements {
  /** The statement of one row. */
  readonly one: StatementParts;
  /** The statement of several rows. Null: each call has one row. */
  readonly several: StatementParts | null;
  /** The insert of one row. */
  readonly insert: StatementParts;
  /** The insert of several rows, which fills the table. Null: the table is empty at first. */
  readonly load: StatementParts | null;
}

/** The statements of a cell; null: the engine has none. They cannot always be written for any number of rows. */
export function statementsFor(
  { statement }: Reproducer,
  { work, loadedRows }: ReproducedCell,
): ScriptStatements | Cannot | null {
  if (statement === null) return null;
  const sql = (rows: number, place: Place) => statement(work, rows, place);
  const insertSql = (rows: number, place: Place) => statement({ ...work, operation: 'insert' }, rows, place);
  const isSeveral = work.settings.rowsPerCall > 1 && work.operation !== 'scan';
  const several = isSeveral ? statementParts(sql) : null;
  if (isSeveral && several === null)
    return { cannot: 'Its statement of several rows has a first row of another form.' };
  return {
    one: singleParts(sql),
    several,
    insert: singleParts(insertSql),
    load: loadedRows === 0 ? null : statementParts(insertSql),
  };
}
