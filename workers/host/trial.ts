import { isDeepStrictEqual } from 'node:util';
import type { TableChecksum } from '#contract/batch.ts';
import { isCold } from '#contract/cold-cache.ts';
import type { Dataset, TablePlan } from '#contract/dataset.ts';
import type { StoredBytes } from '#contract/engine.ts';
import { optionsFor } from '#contract/engine-options.ts';
import { DynoError, type ErrorData, toErrorData } from '#contract/error.ts';
import type { FoundFiles, JournalRecord } from '#contract/journal.ts';
import type { BuiltPart, NumberedCall, Snapshot, TrialResult, TrialStatus } from '#contract/measurement.ts';
import { type LoadedTables, plansOf } from '#contract/messages.ts';
import type { Plan, PlannedTrial, Variant } from '#contract/plan.ts';
import { isRelayed } from '#contract/settings/environment-settings.ts';
import type { Options } from '#contract/settings/options.ts';
import { tableSettingNames } from '#contract/settings/settings.ts';
import { readOnlyOperations } from '#contract/settings/vocabulary.ts';
import { mixFor, weightsOf } from '#contract/statement-mix.ts';
import type { StatementMix } from '#contract/statements.ts';
import { cellOf } from '#contract/support-of.ts';
import { datasetTable } from '#contract/tables.ts';
import { variedDataset } from '#contract/varied-dataset.ts';
import { withUuidOrder } from '#contract/with-uuid-order.ts';
import { runClients } from './clients.ts';
import type { Control } from './control.ts';
import { type PhaseClock, phaseClock } from './phase-clock.ts';
import { watchServer } from './probes.ts';
import { relayTarget } from './relay/relayed-target.ts';
import { failedChecks, runChecks } from './run-checks.ts';
import { readLists } from './statement-lists.ts';
import {
  buildRest,
  hasRest,
  makeFirstIndexes,
  type StagedTable,
  stagedTables,
  type TableStages,
  tableStages,
} from './table-build.ts';
import { catalogEntry } from './targets.ts';
import { type Draft, toResult } from './trial-result.ts';
import { notVerified, verify, withRanges } from './verification.ts';

/** A loaded table that the next trial may use as it is, because nothing has changed it. */
export interface KeptTable {
  readonly stages: TableStages;
  readonly loaded: TableChecksum;
}

export interface TrialContext {
  readonly plan: Plan;
  readonly trial: PlannedTrial;
  readonly variant: Variant;
  readonly control: Control;
  /** The target that rows are copied from, where that is another one. */
  readonly sourceControl: Control | null;
  /** First part of the names of this run's tables. */
  readonly tablePrefix: string;
  readonly tag: string;
  /** What parameters are drawn from. */
  readonly files: FoundFiles;
  readonly kept: KeptTable | null;
  /** The next trial on this target reads the same rows. */
  readonly keepTable: boolean;
  readonly signal: AbortSignal;
  readonly write: (record: JournalRecord) => void;
  readonly onActivity: (text: string) => void;
}

export interface TrialOutcome {
  readonly result: TrialResult;
  readonly kept: KeptTable | null;
}

/** Runs one trial from schema to drop. Never throws: what goes wrong is its result. */
export async function runTrial(given: TrialContext): Promise<TrialOutcome> {
  const { plan, control } = given;
  // Parameters, and tables beside the dataset's, refer to its uuids as it has them.
  const experiment = withUuidOrder(plan.experiment, control.descriptor.uuids.order);
  const context: TrialContext = { ...given, plan: { ...plan, experiment } };
  const timeout = AbortSignal.timeout(context.plan.measure.timeoutSeconds * 1_000);
  const signal = AbortSignal.any([context.signal, timeout]);
  const clock = phaseClock(context.trial, context.variant.label, context.write, context.onActivity);
  let state: TrialState = { stages: context.kept?.stages ?? null, loaded: context.kept?.loaded ?? null };
  let draft: Draft = emptyDraft;
  let error: ErrorData | null = null;
  try {
    await context.control.connect(signal);
    state = await prepareTable(context, clock, signal, (made) => {
      state = { ...state, ...made };
    });
    draft = await measure(context, state, clock, signal);
    error = draft.error;
    if (!error) draft = { ...draft, ...(await buildAfterwards(context, state, clock, signal)) };
    if (!error) draft = { ...draft, ...(await inspect(context, state, draft, clock, signal)) };
    if (draft.verification.outcome === 'mismatch')
      error = new DynoError('mismatch', draft.verification.note, {
        hint: 'What the server acknowledged is not what it has: look for triggers, other writers, or a defect of Dyno’s.',
      }).data;
    error ??= failedChecks(draft.checks ?? []);
  } catch (thrown) {
    error = toErrorData(thrown);
  }
  clock.stop();
  const status = statusOf(error, context.signal, timeout);
  if (status === 'didNotFinish')
    error = new DynoError(
      'timeout',
      `Not finished within ${context.plan.measure.timeoutSeconds} s (measure.timeoutSeconds).`,
    ).data;
  if (status === 'cancelled') error = new DynoError('cancelled', 'Cancelled by the user.').data;
  else if (error) await context.control.reportError(error);
  const kept =
    status === 'ok' && context.keepTable && state.stages && state.loaded
      ? { stages: state.stages, loaded: state.loaded }
      : null;
  if (state.stages && hasTable(state.stages) && !kept) await drop(context, state.stages.complete);
  if (state.source) await drop({ ...context, control: state.source.control }, state.source.table);
  for (const { table } of Object.values(state.beside ?? {}).reverse()) await drop(context, table);
  return {
    result: toResult(context.trial, context.variant, context.control.descriptor, draft, status, error, clock.phaseMs),
    kept,
  };
}

function statusOf(error: ErrorData | null, cancelled: AbortSignal, timeout: AbortSignal): TrialStatus {
  if (!error) return 'ok';
  if (cancelled.aborted) return 'cancelled';
  if (timeout.aborted) return 'didNotFinish';
  return error.kind === 'unsupported' ? 'cannot' : 'failed';
}

/** Own statements may do without a table of Dyno's. */
const hasTable = ({ complete }: TableStages): boolean => complete.columns.length > 0;

interface TrialState {
  readonly stages: TableStages | null;
  readonly loaded: TableChecksum | null;
  /** What is copied; absent: nothing. */
  readonly source?: Source;
  /** The tables beside the dataset's, in the order in which they were made; absent: there are none. */
  readonly beside?: LoadedTables;
  /** What was made after loading; absent: nothing, or a trial before did. */
  readonly builds?: readonly BuiltPart[];
}

/** A second table of Dyno's, full of rows that are read. */
interface Source {
  readonly control: Control;
  readonly table: TablePlan;
  readonly loaded: TableChecksum;
}

const nothing: TableChecksum = { rows: 0, columns: [] };

const emptyDraft: Draft = {
  results: [],
  error: null,
  verification: notVerified('The trial did not get that far.'),
  storedBytes: null,
  probeDelta: {},
};

/** The dataset as this trial has it on its target. */
const datasetOf = ({ plan, variant, control }: TrialContext): Dataset =>
  variedDataset(plan.experiment.dataset, variant.settings, control.descriptor.uuids.order);

/** Rows that are in the table, or in that to be copied, before the clock starts. Deletes and copies by rows need rows for their warm-up, too. */
function rowsToLoad({ plan, variant }: TrialContext): number {
  const { dataset } = plan.experiment;
  const { operation } = variant.settings;
  if (operation === 'insert') return 0;
  const warmup =
    (operation === 'delete' || operation === 'copy') && plan.measure.until === 'rows' ? plan.measure.warmupRows : 0;
  return dataset.rows + warmup;
}

async function prepareTable(
  context: TrialContext,
  clock: PhaseClock,
  signal: AbortSignal,
  onTable: (made: Partial<TrialState>) => void,
): Promise<TrialState> {
  if (context.kept) return context.kept;
  const { control, plan, variant, trial } = context;
  const dataset = datasetOf(context);
  const name = `${context.tablePrefix}${trial.number}`;
  const options = optionsFor(control.descriptor, variant.settings);
  const staged = stagedTables({ ...plan.experiment, dataset }, variant.settings, name, options);
  const { [datasetTable]: own, ...others } = staged;
  const { beside, builds: built } = await prepareBeside(context, others, clock, signal, onTable);
  if (!own)
    return {
      stages: tableStages(dataset, variant.settings, name, options),
      loaded: null,
      beside,
      ...(built.length > 0 && { builds: built }),
    };
  const { stages } = own;
  clock.enter('schema');
  await control.ask({ call: 'prepareSchema', table: stages.first }, signal);
  onTable({ stages });
  await makeFirstIndexes(control, stages, signal);
  const rows = rowsToLoad(context);
  const load = (table: TablePlan, where = control) =>
    where.ask({ call: 'load', table, dataset, storedAs: variant.settings, rows }, signal);
  if (variant.settings.operation === 'copy') {
    const reading = context.sourceControl ?? control;
    await reading.connect(signal);
    const sourceOptions = optionsFor(reading.descriptor, variant.settings);
    const table = {
      ...tableStages(dataset, variant.settings, `${name}s`, sourceOptions).first,
      indexes: [],
    };
    // What is not yet loaded is dropped all the same.
    onTable({ source: { control: reading, table, loaded: nothing } });
    await reading.ask({ call: 'prepareSchema', table }, signal);
    clock.enter('load');
    const source = { control: reading, table, loaded: await load(table, reading) };
    clock.enter('settle');
    await reading.ask({ call: 'settle', table }, signal);
    await control.ask({ call: 'settle', table: stages.first }, signal);
    return { stages, loaded: null, source };
  }
  if (rows > 0) clock.enter('load');
  const loaded = rows > 0 ? await load(stages.first) : null;
  const builds = loaded ? await build(control, stages, false, clock, signal) : {};
  // Without rows, too: what the trial before has left to flush would be flushed under this one's clock.
  clock.enter('settle');
  await control.ask({ call: 'settle', table: loaded ? stages.complete : stages.first }, signal);
  const all = [...built, ...(builds.builds ?? [])];
  return { stages, loaded, beside, ...(all.length > 0 && { builds: all }) };
}

/** Makes the tables beside the dataset's, each whole before the next one: it may refer to those before. */
async function prepareBeside(
  context: TrialContext,
  tables: Readonly<Record<string, StagedTable>>,
  clock: PhaseClock,
  signal: AbortSignal,
  onTable: (made: Partial<TrialState>) => void,
): Promise<{ readonly beside: LoadedTables; readonly builds: readonly BuiltPart[] }> {
  const { control, variant } = context;
  let beside: LoadedTables = {};
  const builds: BuiltPart[] = [];
  for (const [name, { dataset, stages }] of Object.entries(tables)) {
    clock.enter('schema');
    await control.ask({ call: 'prepareSchema', table: stages.first }, signal);
    beside = { ...beside, [name]: { table: stages.complete, dataset, rows: dataset.rows } };
    onTable({ beside });
    await makeFirstIndexes(control, stages, signal);
    clock.enter('load');
    await control.ask(
      { call: 'load', table: stages.first, dataset, storedAs: variant.settings, rows: dataset.rows, what: name },
      signal,
    );
    const more = await build(control, stages, false, clock, signal);
    for (const one of more.builds ?? []) builds.push({ ...one, part: `${one.part} of ${name}` });
    clock.enter('settle');
    await control.ask({ call: 'settle', table: stages.complete }, signal);
  }
  return { beside, builds };
}

/** All tables by the names that statements have for them, the dataset's included. */
function loadedTables(context: TrialContext, { stages, loaded, beside = {} }: TrialState): LoadedTables {
  if (!stages || !hasTable(stages)) return beside;
  const dataset = datasetOf(context);
  const table = loaded ? stages.complete : stages.first;
  return { ...beside, [datasetTable]: { table, dataset, rows: loaded?.rows ?? 0 } };
}

async function build(
  control: Control,
  stages: TableStages,
  counted: boolean,
  clock: PhaseClock,
  signal: AbortSignal,
): Promise<Pick<Draft, 'builds'>> {
  if (!hasRest(stages)) return {};
  clock.enter('build');
  return { builds: await buildRest(control, stages, counted, signal) };
}

/** Of inserts: what waits until the rows that were measured are all there. */
const buildAfterwards = async (
  { control }: TrialContext,
  { stages, loaded }: TrialState,
  clock: PhaseClock,
  signal: AbortSignal,
): Promise<Pick<Draft, 'builds'>> => (stages && !loaded ? build(control, stages, true, clock, signal) : {});

async function measure(
  context: TrialContext,
  state: TrialState,
  clock: PhaseClock,
  signal: AbortSignal,
): Promise<Draft> {
  const { control, plan, variant, trial } = context;
  const { stages, loaded, source, builds } = state;
  if (!stages) throw new DynoError('internal', 'No table.');
  clock.enter('prepare');
  const tables = loadedTables(context, state);
  const mix = await mixOf(context, tables, stages.first.options, signal);
  if (isCold(variant.settings)) {
    clock.enter('emptyCache');
    await control.emptyCache(signal);
    clock.enter('prepare');
  }
  const target = await control.connect(signal);
  const elsewhere = context.sourceControl
    ? { planned: context.sourceControl.planned, ...(await context.sourceControl.connect(signal)) }
    : null;
  const seed = plan.measure.seed * 1_000_003 + trial.number;
  await using relayed = isRelayed(variant.settings)
    ? await relayTarget(catalogEntry(control.planned.engine).config, target.config, variant.settings, seed)
    : null;
  const probes = watchServer(control, signal, (atMs, sample, tookMs) =>
    context.write({ record: 'probe', trial: trial.number, atMs, tookMs, sample }),
  );
  const eachCall: NumberedCall[] = [];
  const outcome = await runClients({
    engine: control.planned.engine,
    config: relayed?.config ?? target.config,
    secrets: [...target.secrets, ...(elsewhere?.secrets ?? [])],
    tag: context.tag,
    settings: variant.settings,
    job: {
      table: loaded ? stages.complete : stages.first,
      dataset: datasetOf(context),
      measure: plan.measure,
      loadedRows: (source?.loaded ?? loaded)?.rows ?? 0,
      trialSeed: seed,
      ...(source && { source: source.table }),
      ...(elsewhere && { sourceTarget: { engine: elsewhere.planned.engine, config: elsewhere.config } }),
      ...(mix && { mix, tables }),
    },
    signal,
    onPhase: clock.enter,
    onSnapshot: (snapshot: Snapshot) => context.write({ record: 'snapshot', trial: trial.number, snapshot }),
    onCall: async (call) => void eachCall.push({ ...call, probeDelta: await probes.lap() }),
    onSilence: (worker, seconds) => context.onActivity(`Worker ${worker + 1} has been silent for ${seconds} s`),
    beforeMeasure: probes.before,
    whileMeasuring() {
      relayed?.begin();
      probes.start();
    },
  });
  const network = await relayed?.end(outcome);
  const lastEnd = outcome.results.map((one) => Number(BigInt(one.lastEndNs) / 1_000n) / 1e3);
  clock.enter('verify', lastEnd.length > 0 ? Math.max(...lastEnd) : undefined);
  const probeDelta = await probes.finish();
  return {
    ...emptyDraft,
    results: outcome.results,
    error: outcome.error,
    probeDelta,
    ...network,
    ...(eachCall.length > 0 && { eachCall }),
    ...(builds && { builds }),
  };
}

/** The experiment's own statements for this target, with what their parameters are drawn from; null for other operations. */
async function mixOf(
  { control, plan, variant, files }: TrialContext,
  tables: LoadedTables,
  options: Options,
  signal: AbortSignal,
): Promise<StatementMix | null> {
  const { experiment } = plan;
  const { statements } = control.descriptor;
  if (variant.settings.operation !== 'statement' || !statements) return null;
  const choice = { target: control.planned.name, engine: control.planned.engine };
  const items = weightsOf(experiment);
  const context = { control, experiment, choice, files, tables: plansOf(tables), options };
  const lists = await readLists(context, [...items.keys()], signal);
  const mix = mixFor(experiment, choice, statements, items, lists);
  if (!control.descriptor.reference) return mix;
  // It answers nothing, and that is not wrong of it.
  return { ...mix, statements: mix.statements.map((one) => ({ ...one, expectRows: null })) };
}

async function inspect(
  context: TrialContext,
  state: TrialState,
  { results }: Draft,
  clock: PhaseClock,
  signal: AbortSignal,
): Promise<Pick<Draft, 'verification' | 'checks' | 'storedBytes' | 'untrustedForeignKeys'>> {
  const { control, variant, plan } = context;
  const { stages, loaded, source } = state;
  if (!stages) throw new DynoError('internal', 'No table.');
  const beside = Object.values(state.beside ?? {}).map((one) => one.table);
  const table = stages.complete;
  clock.enter('verify');
  const { operation } = variant.settings;
  const found = operation === 'statement' ? null : await control.ask({ call: 'checksum', table }, signal);
  const verification = verify({
    operation,
    serverData: cellOf(control.descriptor, variant.settings)?.serverData ?? false,
    columnNames: Object.keys(plan.experiment.dataset.columns),
    loaded,
    source: source?.loaded ?? null,
    results,
    found,
  });
  const { settings } = variant;
  const ranges =
    loaded && verification.outcome !== 'mismatch' && operation === 'readRange' && settings.rangeColumn
      ? await control.ask(
          {
            call: 'verifyRanges',
            table,
            dataset: datasetOf(context),
            settings,
            rows: loaded.rows,
          },
          signal,
        )
      : null;
  const checks =
    operation === 'statement'
      ? await runChecks(control, plan.experiment, loadedTables(context, state), stages.first.options, signal)
      : [];
  const tables = [...beside, ...(hasTable(stages) ? [table] : [])];
  return {
    verification: ranges ? withRanges(verification, ranges) : verification,
    ...(checks.length > 0 && { checks }),
    storedBytes: await storedBytes(control, tables, signal),
    ...(await untrustedForeignKeys(control, tables, signal)),
  };
}

/** What all tables take together; null where there is none, or the server does not tell. */
async function storedBytes(
  control: Control,
  tables: readonly TablePlan[],
  signal: AbortSignal,
): Promise<StoredBytes | null> {
  const found: StoredBytes[] = [];
  for (const table of tables) {
    const bytes = await control.ask({ call: 'storedBytes', table }, signal);
    if (!bytes) return null;
    found.push(bytes);
  }
  return found.length === 0 ? null : found.reduce(addBytes);
}

async function untrustedForeignKeys(
  control: Control,
  tables: readonly TablePlan[],
  signal: AbortSignal,
): Promise<Pick<Draft, 'untrustedForeignKeys'>> {
  let untrusted = 0;
  for (const table of tables) {
    if (!table.foreignKeys?.length) continue;
    const found = await control.ask({ call: 'untrustedForeignKeys', table }, signal);
    if (found === null) return {};
    untrusted += found;
  }
  return untrusted > 0 ? { untrustedForeignKeys: untrusted } : {};
}

const addBytes = (sum: StoredBytes, { tableBytes, indexBytes }: StoredBytes): StoredBytes => ({
  ...sum,
  tableBytes: sum.tableBytes + tableBytes,
  indexBytes: sum.indexBytes + indexBytes,
});

const dropWithinMs = 15_000;

/** The table is ours and of no more use. Where it cannot be dropped now, the next run drops it (see leftovers.ts). */
async function drop({ control, onActivity }: TrialContext, table: TablePlan): Promise<void> {
  try {
    await control.ask({ call: 'drop', table }, AbortSignal.timeout(dropWithinMs));
  } catch (thrown) {
    onActivity(`Table ${table.name} could not be dropped yet: ${toErrorData(thrown).message}`);
  }
}

/** Whether the table can stay for the next trial on the same target: no operation changes it, and it would be created and filled alike. */
export const canShareTable = (a: Variant, b: Variant): boolean =>
  [a, b].every(({ settings }) => readOnlyOperations.includes(settings.operation)) &&
  isDeepStrictEqual(a.settings.options, b.settings.options) &&
  tableSettingNames.every((name) => a.settings[name] === b.settings[name]);
