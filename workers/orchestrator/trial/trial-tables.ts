import { isDeepStrictEqual } from 'node:util';
import { isCold } from '#engine-api/support/cold-cache.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { Dataset, TablePlan } from '#model/dataset/dataset.ts';
import { datasetName } from '#model/dataset/tables.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { objectPrefix } from '#model/statements/setup.ts';
import type { BuiltPart, TableLoad } from '#protocol/measurement.ts';
import type { ControlRequest, LoadedTables } from '#protocol/messages.ts';
import type { Control } from '../worker/control.ts';
import { loadRanges } from './load-ranges.ts';
import { runSetup, runTeardown } from './set-up.ts';
import { splitLoad, type TimedRows } from './split-load.ts';
import {
  buildIndexes,
  buildRest,
  hasRest,
  makeFirstIndexes,
  type StagedTable,
  serverName,
  stagedTables,
  type TableStages,
  tableStages,
} from './table-build.ts';
import {
  datasetOf,
  hasTable,
  type KeptTable,
  loadedTables,
  type SourceTable,
  type TrialState,
  type TrialWork,
  tableNameOf,
} from './trial-context.ts';
import type { TrialDraft } from './trial-result.ts';

const dropWithinMs = 15_000;
const noRows: TableChecksum = { rows: 0, columns: [] };

/** Called with each table when it is created, so that it is dropped even if the trial fails later. */
type OnTable = (made: Partial<TrialState>) => void;

/** Creates and loads a trial's tables and settles their servers. Uses the tables that were kept for it. */
export async function prepareTables(work: TrialWork, onTable: OnTable): Promise<TrialState> {
  const { control, plan, variant, kept } = work;
  const dataset = datasetOf(work);
  const options = optionsFor(control.descriptor, variant.settings);
  const staged = stagedTables(
    { ...plan.experiment, dataset },
    variant.settings,
    kept?.name ?? tableNameOf(work),
    options,
    control.descriptor.id,
  );
  if (kept) return changeIndexes(work, kept, staged, datasetName(dataset));
  const { [datasetName(dataset)]: own, ...others } = staged;
  const { beside, builds, tableLoads } = await prepareBeside(work, others, onTable);
  if (!own) {
    const stages = tableStages(dataset, variant.settings, tableNameOf(work), options, control.descriptor.id);
    return { stages, loaded: null, beside, ...unlessEmpty(builds, tableLoads) };
  }
  const { stages } = own;
  await createTable(work, stages, () => onTable({ stages }));
  if (variant.settings.operation === 'copy')
    return { stages, loaded: null, ...(await prepareCopy(work, stages, onTable)) };
  const { loaded, builds: ownBuilds } = await loadTable(work, stages);
  const ownLoads = loaded ? loadOfFile(datasetName(dataset), dataset, loaded) : [];
  return {
    ...{ stages, loaded: loaded?.checksum ?? null, beside },
    ...(loaded && { loadedBytes: loaded.bytes }),
    ...unlessEmpty([...builds, ...ownBuilds], [...tableLoads, ...ownLoads]),
  };
}

const unlessEmpty = (
  builds: readonly BuiltPart[],
  tableLoads: readonly TableLoad[],
): Pick<TrialState, 'builds' | 'tableLoads'> => ({
  ...(builds.length > 0 && { builds }),
  ...(tableLoads.length > 0 && { tableLoads }),
});

/** The load of a table as results have it, if a file fills the table. */
const loadOfFile = (
  table: string,
  { from }: Pick<Dataset, 'from'>,
  { checksum: { rows }, bytes, ms }: TimedRows,
): readonly TableLoad[] => (from ? [{ table, rows, bytes, ms }] : []);

/**
 * Runs the statements of `setup` on the filled tables. The server settles once more, so that new statistics have their
 * values.
 */
export async function setUp(work: TrialWork, state: TrialState): Promise<void> {
  const { control, plan, variant, clock, signal } = work;
  if (plan.experiment.setup === undefined) return;
  const options = optionsFor(control.descriptor, variant.settings);
  clock.enter('schema');
  await runSetup(control, plan.experiment, tableNameOf(work), loadedTables(work, state), options, signal);
  clock.enter('settle');
  for (const { table } of Object.values(state.beside ?? {})) await control.ask({ call: 'settle', table }, signal);
  if (state.stages && hasTable(state.stages) && !settlesWhileOpening(work)) await settle(work, state);
}

/**
 * Runs the statements of `teardown`. The measurement stands if one fails: the result names the error beside it. After a
 * trial that was cancelled or took too long, they have as much time as a drop.
 */
export async function tearDown(work: TrialWork, state: TrialState): Promise<Pick<TrialDraft, 'teardownErrors'>> {
  const { control, plan, signal } = work;
  if (plan.experiment.teardown === undefined) return {};
  const tables = loadedTables(work, state);
  const within = signal.aborted ? AbortSignal.timeout(dropWithinMs) : signal;
  const errors = await runTeardown(control, plan.experiment, tableNameOf(work), tables, within);
  return errors.length > 0 ? { teardownErrors: errors.map(({ message }) => message) } : {};
}

/** In a trial that inserts, creates the keys and indexes that wait until all measured rows are in the table. */
export const buildAfterInserts = async (
  work: TrialWork,
  { stages, loaded }: TrialState,
): Promise<Pick<TrialDraft, 'builds'>> =>
  stages && !loaded && hasRest(stages) ? { builds: await build(work, stages, true) } : {};

/** The trial's tables as the next trial gets them. Null: the trial has none with rows, or rows of a copy. */
export function keptTables(
  work: TrialWork,
  { stages, loaded, loadedBytes, beside = {}, source }: TrialState,
): KeptTable | null {
  if (!stages || source || (!loaded && hasTable(stages))) return null;
  const name = work.kept?.name ?? tableNameOf(work);
  return { name, stages, loaded, ...(loadedBytes !== undefined && { loadedBytes }), beside };
}

/**
 * Drops the trial's objects, and its tables without those that are kept. Tables to which others refer are dropped after
 * them.
 */
export async function dropTables(work: TrialWork, state: TrialState, isKept: boolean): Promise<void> {
  const { stages, source, beside = {} } = state;
  if (work.plan.experiment.setup !== undefined) await dropObjects(work);
  if (isKept) return;
  if (stages && hasTable(stages)) await drop(work, work.control, stages.complete);
  if (source) await drop(work, source.control, source.table);
  for (const { table } of Object.values(beside).reverse()) await drop(work, work.control, table);
}

async function createTable(work: TrialWork, stages: TableStages, onCreated: () => void): Promise<void> {
  work.clock.enter('schema');
  await work.control.ask({ call: 'prepareSchema', table: stages.first }, work.signal);
  onCreated();
  await makeFirstIndexes(work.control, stages, work.signal);
}

/** Creates the additional tables, each completely before the next one, which may refer to it. */
async function prepareBeside(
  work: TrialWork,
  tables: Readonly<Record<string, StagedTable>>,
  onTable: OnTable,
): Promise<Required<Pick<TrialState, 'beside' | 'builds' | 'tableLoads'>>> {
  const { control, variant, clock, signal } = work;
  let beside: LoadedTables = {};
  const builds: BuiltPart[] = [];
  const tableLoads: TableLoad[] = [];
  for (const [name, { dataset, stages }] of Object.entries(tables)) {
    await createTable(work, stages, () => {
      beside = { ...beside, [name]: { table: stages.complete, dataset, rows: dataset.rows } };
      onTable({ beside });
    });
    clock.enter('load');
    const rows = { first: 0, end: dataset.rows };
    const loaded = await timedLoad(
      control,
      { call: 'load', table: stages.first, dataset, storedAs: variant.settings, rows, what: name },
      signal,
    );
    tableLoads.push(...loadOfFile(name, dataset, loaded));
    builds.push(...(await build(work, stages, false)).map((one) => partOf(one, name, '')));
    clock.enter('settle');
    await control.ask({ call: 'settle', table: stages.complete }, signal);
  }
  return { beside, builds, tableLoads };
}

/**
 * Gives kept tables the indexes of this trial: drops those of the trial before that it does not have, and creates those
 * that are missing. `own`: the name of the dataset's table.
 */
async function changeIndexes(
  work: TrialWork,
  kept: KeptTable,
  staged: Readonly<Record<string, StagedTable>>,
  own: string,
): Promise<TrialState> {
  const { control, clock, signal } = work;
  const builds: BuiltPart[] = [];
  let beside = kept.beside;
  let stages = kept.stages;
  for (const [name, one] of Object.entries(staged)) {
    const before = name === own ? kept.stages.complete : kept.beside[name]?.table;
    if (!before) throw new DynoError('internal', `The table ${name} was not kept.`);
    const { complete } = one.stages;
    const [old, wanted] = [before.indexes ?? [], complete.indexes ?? []];
    const gone = old.filter((index) => !wanted.some((same) => isDeepStrictEqual(same, index)));
    const come = wanted.filter((index) => !old.some((same) => isDeepStrictEqual(same, index)));
    if (gone.length > 0) clock.enter('schema');
    for (const index of gone) await control.ask({ call: 'removeIndex', table: before, index }, signal);
    if (come.length > 0) clock.enter('build');
    builds.push(...(await buildIndexes(control, complete, come, signal)).map((built) => partOf(built, name, own)));
    if (gone.length + come.length > 0) {
      clock.enter('settle');
      await control.ask({ call: 'settle', table: complete }, signal);
    }
    if (name === own) stages = one.stages;
    else beside = { ...beside, [name]: { ...kept.beside[name]!, dataset: one.dataset, table: complete } };
  }
  const { loaded, loadedBytes } = kept;
  return {
    ...{ stages, loaded, beside },
    ...(loadedBytes !== undefined && { loadedBytes }),
    ...(builds.length > 0 && { builds }),
  };
}

const partOf = (built: BuiltPart, table: string, own: string): BuiltPart =>
  table === own ? built : { ...built, part: `${built.part} of ${table}` };

/** Creates and loads the source table of a copy, on its own target if that is another one. */
async function prepareCopy(
  work: TrialWork,
  stages: TableStages,
  onTable: OnTable,
): Promise<{ readonly source: SourceTable; readonly loadedBytes: number }> {
  const { variant, clock, signal } = work;
  const control = work.sourceControl ?? work.control;
  await control.connect(signal);
  if (work.sourceControl) await work.setServer(work.sourceControl, signal);
  const options = optionsFor(control.descriptor, variant.settings);
  const dataset = datasetOf(work);
  const name = serverName(`${tableNameOf(work)}s`, 0, datasetName(dataset));
  const { first } = tableStages(dataset, variant.settings, name, options, control.descriptor.id);
  const table = { ...first, indexes: [] };
  onTable({ source: { control, table, loaded: noRows } });
  await control.ask({ call: 'prepareSchema', table }, signal);
  clock.enter('load');
  const { checksum: loaded, bytes: loadedBytes } = await load(work, control, table);
  clock.enter('settle');
  await control.ask({ call: 'settle', table }, signal);
  await work.control.ask({ call: 'settle', table: stages.first }, signal);
  return { source: { control, table, loaded }, loadedBytes };
}

async function loadTable(
  work: TrialWork,
  stages: TableStages,
): Promise<{ readonly loaded: TimedRows | null; readonly builds: readonly BuiltPart[] }> {
  const { clock } = work;
  const hasRows = rowsToLoad(work) > 0;
  if (hasRows) clock.enter('load');
  const loaded = hasRows ? await loadMeasured(work, stages) : null;
  const builds = loaded ? await build(work, stages, false) : [];
  const state = { stages, loaded: loaded?.checksum ?? null };
  if (!settlesWhileOpening(work)) await settle(work, state);
  return { loaded, builds };
}

/**
 * True if the server comes to rest while the clients log in. Not before a cold trial, which empties the cache in
 * between; not before custom statements, whose parameters are read from the settled table; not in an engine without a
 * server, whose login waits for the lock of the file.
 */
export const settlesWhileOpening = ({ variant: { settings }, control, kept }: TrialWork): boolean =>
  kept === null &&
  !isCold(settings) &&
  settings.operation !== 'statement' &&
  settings.operation !== 'copy' &&
  control.descriptor.inProcess !== true;

/**
 * Brings the server to rest. A trial without rows settles it too, so that it does not flush data of the previous trial
 * during the measurement.
 */
export async function settle(work: TrialWork, { stages, loaded }: TrialState): Promise<void> {
  if (!stages) return;
  work.clock.enter('settle');
  await work.control.ask({ call: 'settle', table: loaded ? stages.complete : stages.first }, work.signal);
}

/** Loads all rows over a control connection. */
const load = (work: TrialWork, control: Control, table: TablePlan): Promise<TimedRows> =>
  timedLoad(control, { ...loadOf(work, table), rows: { first: 0, end: rowsToLoad(work) } }, work.signal);

async function timedLoad(
  control: Control,
  request: ControlRequest & { readonly call: 'load' },
  signal: AbortSignal,
): Promise<TimedRows> {
  const startMs = performance.now();
  const loaded = await control.ask(request, signal);
  return { ...loaded, ms: performance.now() - startMs };
}

const loadOf = (work: TrialWork, table: TablePlan) => {
  const { dates, documents } = work.variant.settings;
  return { call: 'load', table, dataset: datasetOf(work), storedAs: { dates, documents } } as const;
};

/** Loads the measured table, by several processes if that is faster. */
function loadMeasured(work: TrialWork, { first, complete }: TableStages): Promise<TimedRows> {
  const { plan, control } = work;
  const trials = plan.trials.filter(({ target }) => target === control.planned.name);
  const measured = new Set(trials.map(({ variant }) => variant));
  const variants = plan.variants.filter(({ id }) => measured.has(id)).map(({ settings }) => settings);
  const ranges = loadRanges(control.descriptor, datasetOf(work), complete, variants, rowsToLoad(work));
  return ranges.length > 1 ? splitLoad(work, loadOf(work, first), ranges) : load(work, control, first);
}

/**
 * Number of rows that are loaded before the measurement. Deletes and copies by rows also need rows for their warm-up.
 */
function rowsToLoad({ plan, variant }: TrialWork): number {
  const { experiment, measure } = plan;
  const { operation } = variant.settings;
  if (operation === 'insert') return 0;
  const usesUpRows = (operation === 'delete' || operation === 'copy') && measure.until === 'rows';
  return experiment.dataset.rows + (usesUpRows ? measure.warmupRows : 0);
}

async function build(work: TrialWork, stages: TableStages, counted: boolean): Promise<readonly BuiltPart[]> {
  if (!hasRest(stages)) return [];
  work.clock.enter('build');
  return buildRest(work.control, stages, counted, work.signal);
}

/** Drops the objects that statements of `setup` have made, even if one of the statements has failed. */
async function dropObjects(work: TrialWork): Promise<void> {
  const { control, onTableLeft, onActivity } = work;
  const left = (name: string, why: string) => {
    onTableLeft?.(control.planned.name, name);
    onActivity(`${name} could not be dropped yet: ${why}`);
  };
  const namePrefix = objectPrefix(tableNameOf(work));
  try {
    const { kept } = await control.ask({ call: 'dropLeftovers', namePrefix }, AbortSignal.timeout(dropWithinMs));
    for (const { name, why } of kept) left(name, why);
  } catch (thrown) {
    left(namePrefix, toErrorData(thrown).message);
  }
}

/** If a table cannot be dropped now, the next run drops it (see leftovers.ts). */
async function drop({ onActivity, onTableLeft }: TrialWork, control: Control, table: TablePlan): Promise<void> {
  try {
    await control.ask({ call: 'drop', table }, AbortSignal.timeout(dropWithinMs));
  } catch (thrown) {
    onTableLeft?.(control.planned.name, table.name);
    onActivity(`Table ${table.name} could not be dropped yet: ${toErrorData(thrown).message}`);
  }
}
