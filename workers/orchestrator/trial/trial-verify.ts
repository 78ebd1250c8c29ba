import type { StoredBytes } from '#engine-api/database.ts';
import { cellOf } from '#engine-api/support/support-of.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { PartOfPages, Verification } from '#protocol/measurement.ts';
import type { Control } from '../worker/control.ts';
import { runChecks } from './run-checks.ts';
import { hasRest } from './table-build.ts';
import { datasetOf, hasTable, loadedTables, type TrialState, type TrialWork } from './trial-context.ts';
import type { TrialDraft } from './trial-result.ts';
import { verify, withRanges } from './verification.ts';

/** Compares the server's rows with the workers' results, and requests the size in bytes. */
export async function verifyTables(
  work: TrialWork,
  state: TrialState,
  draft: TrialDraft,
): Promise<
  Pick<TrialDraft, 'verification' | 'checks' | 'storedBytes' | 'indexBytes' | 'pageUse' | 'untrustedForeignKeys'>
> {
  const { control, variant, plan, clock, signal } = work;
  const { stages, beside = {} } = state;
  if (!stages) throw new DynoError('internal', 'No table.');
  clock.enter('verify');
  const verification = await verifyRows(work, state, stages.complete, draft);
  const checks =
    variant.settings.operation === 'statement'
      ? await runChecks(control, plan.experiment, loadedTables(work, state), stages.first.options, signal)
      : [];
  const tables = [
    ...Object.entries(beside).map(([name, { table }]) => ({ table, of: ` of ${name}` })),
    ...(hasTable(stages) ? [{ table: stages.complete, of: '' }] : []),
  ];
  return {
    verification,
    ...(checks.length > 0 && { checks }),
    ...(await storedBytes(control, tables, signal)),
    ...(await pageUse(control, tables, signal)),
    ...(await untrustedForeignKeys(
      control,
      tables.map(({ table }) => table),
      signal,
    )),
  };
}

/** True if the trial adds rows with a checksum, and creates no key or index after them. */
export const addsRowsAlone = ({ variant: { settings } }: TrialWork, { stages }: TrialState): boolean =>
  (settings.operation === 'insert' || settings.operation === 'copy') && stages !== null && !hasRest(stages);

/** The server's checksum of the measured table; null if it keeps no rows, or custom statements used the table. */
export const checksum = async (
  { control, variant, signal }: TrialWork,
  { stages }: TrialState,
): Promise<TableChecksum | null> =>
  stages === null || variant.settings.operation === 'statement'
    ? null
    : control.ask({ call: 'checksum', table: stages.complete }, signal);

/** Compares the table's checksum, and for range reads the contents of a range, with the expected values. */
async function verifyRows(
  work: TrialWork,
  state: TrialState,
  table: TablePlan,
  { results, found }: TrialDraft,
): Promise<Verification> {
  const { control, plan, signal } = work;
  const { settings } = work.variant;
  const { operation } = settings;
  const { loaded, source } = state;
  const verification = verify({
    operation,
    serverData: cellOf(control.descriptor, settings)?.serverData ?? false,
    columnNames: Object.keys(plan.experiment.dataset.columns),
    loaded,
    source: source?.loaded ?? null,
    results,
    found: found === undefined ? await checksum(work, state) : found,
  });
  if (!loaded || verification.outcome === 'mismatch' || operation !== 'readRange' || !settings.rangeColumn)
    return verification;
  const { rows } = loaded;
  const ranges = await control.ask({ call: 'verifyRanges', table, dataset: datasetOf(work), settings, rows }, signal);
  return ranges ? withRanges(verification, ranges) : verification;
}

/** Size of all tables in bytes, and of each index; null if there is no table, or the server does not report it. */
async function storedBytes(
  control: Control,
  tables: readonly { readonly table: TablePlan; readonly of: string }[],
  signal: AbortSignal,
): Promise<Pick<TrialDraft, 'storedBytes' | 'indexBytes'>> {
  const found: TableBytes[] = [];
  const indexBytes: IndexSize[] = [];
  for (const { table, of } of tables) {
    const bytes = await control.ask({ call: 'storedBytes', table }, signal);
    if (!bytes) return { storedBytes: null };
    const { eachIndex, ...stored } = bytes;
    found.push(stored);
    for (const { name, label } of table.indexes ?? []) {
      const own = eachIndex[name];
      if (own === undefined) continue;
      indexBytes.push({
        index: `${label}${of}`,
        ...(typeof own === 'number' ? { bytes: own } : { bytes: null, ...own }),
      });
    }
  }
  return {
    storedBytes: found.length === 0 ? null : found.reduce(addBytes),
    ...(indexBytes.length > 0 && { indexBytes }),
  };
}

/** The pages of all tables with their indexes; nothing if the engine does not tell them. */
async function pageUse(
  control: Control,
  tables: readonly { readonly table: TablePlan; readonly of: string }[],
  signal: AbortSignal,
): Promise<Pick<TrialDraft, 'pageUse'>> {
  const parts: PartOfPages[] = [];
  let why: string | undefined;
  for (const { table, of: ofTable } of tables) {
    const use = await control.ask({ call: 'pageUse', table }, signal);
    if (use === null) return {};
    if ('why' in use) why ??= use.why;
    else
      for (const { of, ...pages } of use.parts) {
        const index = table.indexes?.find(({ name }) => name === of);
        parts.push({ part: `${index ? `index on ${index.label}` : of}${ofTable}`, ...pages });
      }
  }
  return tables.length === 0 ? {} : { pageUse: { parts, ...(why !== undefined && { why }) } };
}

type TableBytes = Omit<StoredBytes, 'eachIndex'>;
type IndexSize = NonNullable<TrialDraft['indexBytes']>[number];

async function untrustedForeignKeys(
  control: Control,
  tables: readonly TablePlan[],
  signal: AbortSignal,
): Promise<Pick<TrialDraft, 'untrustedForeignKeys'>> {
  let untrusted = 0;
  for (const table of tables) {
    if (!table.foreignKeys?.length) continue;
    const found = await control.ask({ call: 'untrustedForeignKeys', table }, signal);
    if (found === null) return {};
    untrusted += found;
  }
  return untrusted > 0 ? { untrustedForeignKeys: untrusted } : {};
}

const addBytes = (sum: TableBytes, { tableBytes, indexBytes }: TableBytes): TableBytes => ({
  ...sum,
  tableBytes: sum.tableBytes + tableBytes,
  indexBytes: sum.indexBytes + indexBytes,
});
