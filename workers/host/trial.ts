import { isDeepStrictEqual } from 'node:util';
import type { TableChecksum } from '#contract/batch.ts';
import { keyIndex, tableColumns } from '#contract/columns.ts';
import type { TablePlan } from '#contract/dataset.ts';
import { optionsFor } from '#contract/engine-options.ts';
import { DynoError, type ErrorData, toErrorData } from '#contract/error.ts';
import type { JournalRecord } from '#contract/journal.ts';
import type { Snapshot, TrialResult, TrialStatus } from '#contract/measurement.ts';
import type { Plan, PlannedTrial, Variant } from '#contract/plan.ts';
import { readOnlyOperations } from '#contract/settings.ts';
import { runClients } from './clients.ts';
import type { Control } from './control.ts';
import { type PhaseClock, phaseClock } from './phase-clock.ts';
import { watchServer } from './probes.ts';
import { type Draft, toResult } from './trial-result.ts';
import { notVerified, verify } from './verification.ts';

/** A loaded table that the next trial may use as it is, because nothing has changed it. */
export interface KeptTable {
  readonly table: TablePlan;
  readonly loaded: TableChecksum;
}

export interface TrialContext {
  readonly plan: Plan;
  readonly trial: PlannedTrial;
  readonly variant: Variant;
  readonly control: Control;
  /** First part of the names of this run's tables. */
  readonly tablePrefix: string;
  readonly tag: string;
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
export async function runTrial(context: TrialContext): Promise<TrialOutcome> {
  const timeout = AbortSignal.timeout(context.plan.measure.timeoutSeconds * 1_000);
  const signal = AbortSignal.any([context.signal, timeout]);
  const clock = phaseClock(context.trial, context.variant.label, context.write, context.onActivity);
  let state: TrialState = { table: context.kept?.table ?? null, loaded: context.kept?.loaded ?? null };
  let draft: Draft = emptyDraft;
  let error: ErrorData | null = null;
  try {
    await context.control.connect(signal);
    state = await prepareTable(context, clock, signal, (table) => {
      state = { ...state, table };
    });
    draft = await measure(context, state, clock, signal);
    error = draft.error;
    if (!error) draft = { ...draft, ...(await inspect(context, state, draft, clock, signal)) };
    if (draft.verification.outcome === 'mismatch')
      error = new DynoError('mismatch', draft.verification.note, {
        hint: 'What the server acknowledged is not what it has: look for triggers, other writers, or a defect of Dyno’s.',
      }).data;
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
    status === 'ok' && context.keepTable && state.table && state.loaded
      ? { table: state.table, loaded: state.loaded }
      : null;
  if (state.table && !kept) await drop(context, state.table);
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

interface TrialState {
  readonly table: TablePlan | null;
  readonly loaded: TableChecksum | null;
}

const emptyDraft: Draft = {
  results: [],
  error: null,
  verification: notVerified('The trial did not get that far.'),
  storedBytes: null,
  probeDelta: {},
};

/** Rows that are in the table before the clock starts. Deletes by rows need rows for their warm-up, too. */
function rowsToLoad({ plan, variant }: TrialContext): number {
  const { dataset } = plan.experiment;
  if (variant.settings.operation === 'insert') return 0;
  const warmup = variant.settings.operation === 'delete' && plan.measure.until === 'rows' ? plan.measure.warmupRows : 0;
  return dataset.rows + warmup;
}

async function prepareTable(
  context: TrialContext,
  clock: PhaseClock,
  signal: AbortSignal,
  onTable: (table: TablePlan) => void,
): Promise<TrialState> {
  if (context.kept) return context.kept;
  const { control, plan, variant, trial } = context;
  const { dataset } = plan.experiment;
  const table: TablePlan = {
    name: `${context.tablePrefix}${trial.number}`,
    columns: tableColumns(dataset),
    key: keyIndex(dataset),
    options: optionsFor(control.descriptor, variant.settings),
  };
  clock.enter('schema');
  await control.ask({ call: 'prepareSchema', table }, signal);
  onTable(table);
  const rows = rowsToLoad(context);
  if (rows > 0) clock.enter('load');
  const loaded = rows > 0 ? await control.ask({ call: 'load', table, dataset, rows }, signal) : null;
  // Without rows, too: what the trial before has left to flush would be flushed under this one's clock.
  clock.enter('settle');
  await control.ask({ call: 'settle', table }, signal);
  return { table, loaded };
}

async function measure(
  context: TrialContext,
  state: TrialState,
  clock: PhaseClock,
  signal: AbortSignal,
): Promise<Draft> {
  const { control, plan, variant, trial } = context;
  if (!state.table) throw new DynoError('internal', 'No table.');
  const target = await control.connect(signal);
  clock.enter('prepare');
  const probes = watchServer(control, signal, (atMs, sample) =>
    context.write({ record: 'probe', trial: trial.number, atMs, sample }),
  );
  const outcome = await runClients({
    engine: control.planned.engine,
    config: target.config,
    secrets: target.secrets,
    tag: context.tag,
    settings: variant.settings,
    job: {
      table: state.table,
      dataset: plan.experiment.dataset,
      measure: plan.measure,
      loadedRows: state.loaded?.rows ?? 0,
      trialSeed: plan.measure.seed * 1_000_003 + trial.number,
    },
    signal,
    onPhase: clock.enter,
    onSnapshot: (snapshot: Snapshot) => context.write({ record: 'snapshot', trial: trial.number, snapshot }),
    onSilence: (worker, seconds) => context.onActivity(`Worker ${worker + 1} has been silent for ${seconds} s`),
    beforeMeasure: probes.before,
    whileMeasuring: probes.start,
  });
  const lastEnd = outcome.results.map((one) => Number(BigInt(one.lastEndNs) / 1_000n) / 1e3);
  clock.enter('verify', lastEnd.length > 0 ? Math.max(...lastEnd) : undefined);
  return { ...emptyDraft, results: outcome.results, error: outcome.error, probeDelta: await probes.finish() };
}

async function inspect(
  { control, variant, plan }: TrialContext,
  { table, loaded }: TrialState,
  { results }: Draft,
  clock: PhaseClock,
  signal: AbortSignal,
): Promise<Pick<Draft, 'verification' | 'storedBytes'>> {
  if (!table) throw new DynoError('internal', 'No table.');
  clock.enter('verify');
  const { operation, method } = variant.settings;
  const found = await control.ask({ call: 'checksum', table }, signal);
  const verification = verify({
    operation,
    serverData: control.descriptor.support[operation]?.[method]?.serverData ?? false,
    columnNames: Object.keys(plan.experiment.dataset.columns),
    loaded,
    results,
    found,
  });
  return { verification, storedBytes: await control.ask({ call: 'storedBytes', table }, signal) };
}

const dropWithinMs = 15_000;

/** The table is ours and of no more use. Where it cannot be dropped now, the next run drops it (see leftovers.ts). */
async function drop({ control, onActivity }: TrialContext, table: TablePlan): Promise<void> {
  try {
    await control.ask({ call: 'drop', table }, AbortSignal.timeout(dropWithinMs));
  } catch (thrown) {
    onActivity(`Table ${table.name} could not be dropped yet: ${toErrorData(thrown).message}`);
  }
}

/** Whether the table can stay for the next trial on the same target: nothing changes it, and it would be made alike. */
export const canShareTable = (a: Variant, b: Variant): boolean =>
  [a, b].every(({ settings }) => readOnlyOperations.includes(settings.operation)) &&
  isDeepStrictEqual(a.settings.options, b.settings.options);
