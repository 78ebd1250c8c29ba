import { addAbortListener } from 'node:events';
import { mostRows } from '#model/dataset/dataset.ts';
import { allTables } from '#model/dataset/tables.ts';
import { withUuidOrder } from '#model/dataset/with-uuid-order.ts';
import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import { loadedBytes } from '#planning/estimate-volume.ts';
import { planOf } from '#planning/variant-of.ts';
import type { TrialStatus } from '#protocol/measurement.ts';
import { momentOf } from '../worker/control.ts';
import { phaseClock } from './phase-clock.ts';
import { failedChecks } from './run-checks.ts';
import { compareTrialAnswers, giveTrialAnswers } from './trial-answers.ts';
import type { TrialContext, TrialOutcome, TrialState, TrialWork } from './trial-context.ts';
import { measure } from './trial-measure.ts';
import { emptyDraft, type TrialDraft, toResult } from './trial-result.ts';
import { buildAfterInserts, dropTables, keptTables, prepareTables, setUp, tearDown } from './trial-tables.ts';
import { verifyTables } from './trial-verify.ts';

/** Runs one trial from creating the schema to dropping it. Never throws: errors are in its result. */
export async function runTrial(given: TrialContext): Promise<TrialOutcome> {
  const { control } = given;
  const plan = planOf(given.plan, given.variant);
  // Parameters and additional tables refer to the dataset's UUIDs in the order that this engine gives them.
  const ordered = withUuidOrder(plan.experiment, control.descriptor.uuids.order);
  const { timeoutSeconds } = plan.measure;
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
  const signal = AbortSignal.any([given.signal, timeout]);
  const clock = phaseClock(given.trial, given.variant.label, given.write, given.onActivity);
  let work: TrialWork = { ...given, plan: { ...plan, experiment: ordered }, signal, clock };
  let state: TrialState = given.kept ?? { stages: null, loaded: null };
  let draft: TrialDraft = emptyDraft;
  let error: ErrorData | null = null;
  let isSetUp = false;
  const whoAnswers = () => Promise.all([control.answers(), given.sourceControl?.answers()]);
  using _ = addAbortListener(signal, () => void whoAnswers());
  try {
    // 1. Create tables with their rows, keys, indexes and objects, and settle the server.
    await control.connect(signal);
    const parameters = await given.setServer(control, signal);
    if (parameters) draft = { ...draft, serverParameters: parameters };
    if (!given.kept) await given.space.check(control, loadedBytes(plan, given.variant), momentOf(signal));
    signal.throwIfAborted();
    // The phase shows that the trial has begun: a resumed run leaves it as it is if the file has a wrong value.
    if (Object.values(allTables(ordered)).some(({ from }) => from)) clock.enter('load');
    const experiment = await given.rows.prepared(control, ordered, moreRows(plan, given.variant), signal);
    work = { ...work, plan: { ...plan, experiment } };
    state = await prepareTables(work, (made) => {
      state = { ...state, ...made };
    });
    await setUp(work, state);
    isSetUp = true;
    // 2. Compare the answers of changed texts, and ask for those that other targets have to give.
    const answers = await compareTrialAnswers(work, state, given.plan);
    const givenAnswers = await giveTrialAnswers(work, state, given.plan);
    draft = { ...draft, ...(answers && { answers }), ...(givenAnswers && { givenAnswers }) };
    // 3. Measure the calls.
    draft = { ...draft, ...(await measure(work, state, given.plan)) };
    error = draft.error ?? allFailed(draft.results);
    if (!error) {
      // 4. Create the keys and indexes that wait for the inserted rows.
      draft = { ...draft, ...(await buildAfterInserts(work, state)) };
      // 5. Verify that the server has the rows that it acknowledged.
      draft = { ...draft, ...(await verifyTables(work, state, draft)) };
    }
    error = verificationError(draft) ?? error ?? failedChecks(draft.checks ?? []);
  } catch (thrown) {
    error = toErrorData(thrown);
  }
  clock.stop();
  const status = statusOf(error, given.signal, timeout);
  if (status === 'didNotFinish')
    error = new DynoError('timeout', `Not finished within ${timeoutSeconds} s (measure.timeoutSeconds).`).data;
  if (status === 'cancelled') error = cancelError(given.signal).data;
  else if (error) {
    error = await control.explain(error);
    await control.reportError(error);
  }
  // A silent server gets no further requests; the next run drops what stays.
  if (signal.aborted) await whoAnswers();
  // 6. Run the statements that come behind a trial, also behind one that failed after its setup.
  if (isSetUp) draft = { ...draft, ...(await tearDown(work, state)) };
  // 7. Drop everything except tables whose rows the next trial reads.
  const kept = status === 'ok' && given.keepTable ? keptTables(work, state) : null;
  await dropTables(work, state, kept !== null);
  const result = toResult(given.trial, given.variant, control.descriptor, draft, status, error, clock.phaseMs);
  return { result, kept };
}

/**
 * The number of rows that a trial needs beyond the rows that it loads: those of its warm-up, or infinitely many if time
 * ends an insert.
 */
const moreRows = ({ experiment, measure }: TrialContext['plan'], { settings }: TrialContext['variant']): number =>
  settings.operation === 'insert' && measure.until !== 'rows'
    ? mostRows
    : measure.warmupRows + (settings.operation === 'insert' ? Math.max(0, measure.rows - experiment.dataset.rows) : 0);

/** The error of a cancelled trial: the reason if the run ended itself, otherwise the user's cancel. */
const cancelError = ({ reason }: AbortSignal): DynoError =>
  reason instanceof DynoError ? reason : new DynoError('cancelled', 'Cancelled by the user.');

/** The error of a measured phase in which calls failed and none succeeded: it has no speed. */
function allFailed(results: TrialDraft['results']): ErrorData | null {
  const sum = (of: (counts: TrialDraft['results'][number]['totals']) => number) =>
    results.reduce((total, { totals }) => total + of(totals), 0);
  const calls = sum((one) => one.calls);
  const failures = sum(({ errors }) => Object.values(errors).reduce((all, one) => all + one, 0));
  const [example] = results.flatMap(({ errorExamples }) => errorExamples);
  if (calls > 0 || failures === 0 || example === undefined) return null;
  const message = `No call succeeded, and ${formatCount(failures)} failed. The first error: ${example.message}`;
  return { ...example, message };
}

function verificationError({ verification }: TrialDraft): ErrorData | null {
  if (verification.outcome !== 'mismatch') return null;
  return new DynoError('mismatch', verification.note, {
    hint: 'The rows in the table differ from the rows that the server acknowledged. Look for triggers, other writers, or an error in Dyno itself.',
  }).data;
}

function statusOf(error: ErrorData | null, cancelled: AbortSignal, timeout: AbortSignal): TrialStatus {
  if (!error) return 'ok';
  if (cancelled.aborted) return 'cancelled';
  if (timeout.aborted) return 'didNotFinish';
  return error.kind === 'unsupported' ? 'cannot' : 'failed';
}
