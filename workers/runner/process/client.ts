import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { isCold } from '#engine-api/support/cold-cache.ts';
import { cellOf } from '#engine-api/support/support-of.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import type { ClientJob, ToHost } from '#protocol/messages.ts';
import type { AskedPlan, PlanMoment } from '#protocol/query-plans.ts';
import { openLoad, type TrialLoad } from '../load/trial-load.ts';
import type { ClientConnection } from '../loop/client-connection.ts';
import { closeClientConnections, openClientConnections } from '../loop/client-connections.ts';
import type { ControlChannel } from '../loop/control-channel.ts';
import { type Measured, measurePhase, runCallByCall, runPhase } from '../loop/loop.ts';
import type { Phase } from '../loop/phase.ts';
import { askPlan, withLogicalNames } from '../operations/ask-plans.ts';
import { type CopyPlan, copyInto, type OpenSourceTarget, openCopy } from '../operations/copy.ts';
import { MixOperation } from '../operations/mix-operation.ts';
import { watchSockets } from '../timing/socket-watch.ts';
import { TimeSplit } from '../timing/time-split.ts';
import { acknowledgedRows } from '../verify/acknowledged.ts';
import type { CallTracker } from '../workload/call-tracker.ts';
import { type PrepareOptions, prepareCalls } from '../workload/prepare-calls.ts';
import { type ClientPlan, planClient } from './client-plan.ts';
import { collectGarbage } from './garbage.ts';

/** What a client worker works with. */
interface Client {
  readonly descriptor: EngineDescriptor;
  readonly database: Database;
  readonly channel: ControlChannel;
  readonly toError: (thrown: unknown) => ErrorData;
  readonly post: (message: ToHost) => void;
  /** Opens the target that rows are copied from, where that is another one. */
  readonly openSourceTarget?: OpenSourceTarget;
}

/** What the phases of a trial share. */
interface Trial {
  readonly client: Client;
  readonly job: ClientJob;
  readonly plan: ClientPlan;
  readonly connections: readonly ClientConnection[];
  readonly load: TrialLoad;
  readonly split: TimeSplit;
}

/** Runs a worker's share of a trial and posts its result. Rejects if the trial fails; always closes the sessions. */
export async function runClient(client: Client, job: ClientJob): Promise<void> {
  const { descriptor, database, channel, toError, post } = client;
  const { isolation } = job.settings;

  // 1. Plan which calls there are, and what they carry.
  const plan = planClient(descriptor, job, channel);
  const { workload, mix } = plan;

  // 2. Open the sessions, and prepare their operations.
  const split = new TimeSplit();
  await using closing = new AsyncDisposableStack();
  const sockets = descriptor.inProcess === true ? null : closing.use(watchSockets(split));
  const copy = job.source ? closing.use(await openCopy(client, job, job.source)) : null;
  const sessions = {
    options: job.table.options,
    isolation,
    prepare: (session: Session) => prepareOperation(session, client, job, plan, copy),
  };
  const loop = { ...plan.loop, split, toError };
  const connections = await openClientConnections(database, sessions, job.connections, loop, sockets);
  closing.defer(() => closeClientConnections(connections));
  const load = closing.use(await openLoad(job, connections, mix?.users));
  channel.sessions = [...connections.map(({ session }) => session), ...(copy ? [copy.session] : [])];
  const trial: Trial = { client, job, plan, connections, load, split };

  // 3. Make the calls that can be made before the warm-up.
  const { warmup, measure, rowsPerCall } = workload;
  const calls = workload.preparedCalls;
  const rows = calls.measure * rowsPerCall;
  await makeCalls(trial, warmup, calls.warmup);
  await makeCalls(trial, measure, calls.measure, {
    onCalls: (made) => post({ type: 'progress', phase: 'prepare', rows: made * rowsPerCall, of: rows }),
  });
  collectGarbage();
  post({ type: 'prepared' });

  // 4. Warm up, and make the calls of which only the warm-up tells how many there will be.
  await channel.warmUpMayBegin;
  const warmups = await warmUp(trial);
  if (!channel.stopped && !startsUntouched(job)) await askPlans(trial, 'warm');
  if (!channel.stopped) await reportWork(connections);
  post({ type: 'warm' });

  // 5. Measure.
  await channel.measureMayBegin;
  const counters = (copy ?? mix)?.counters;
  counters?.reset();
  const { phase, measured } = await runMeasuredPhase(trial);
  // Before the host asks for the counters: else they lack the work that sessions have not reported yet.
  if (!channel.stopped) await reportWork(connections);
  post({ type: 'measured', lastEndNs: measured.lastEndNs });

  // 6. Report, with what the server acknowledged; before that ask for plans again, which counters no longer count.
  const handshakes = sockets?.handshakes.seen ?? null;
  const acknowledged = await acknowledgedRows(
    job.settings.operation,
    new Set([warmup, measure]),
    plan.generator,
    job,
    // A reference keeps no rows that their checksum could be compared with.
    plan.serverData || descriptor.reference === true,
    descriptor.emptyIsNull,
  );
  await channel.areCountersRead;
  if (!channel.stopped) await askPlans(trial, 'measured');
  post({
    type: 'result',
    result: {
      worker: job.worker,
      ...measured,
      handshakes,
      acknowledged,
      uncertainRows: [...warmups, phase].reduce((sum, { uncertainRows }) => sum + uncertainRows, 0),
      errorExamples: [...warmups, phase].flatMap(({ examples }) => examples),
      ...(counters && { statements: counters.toData() }),
      ...(job.measure.stages && { stages: load.stages() }),
    },
  });
}

async function prepareOperation(
  session: Session,
  { toError }: Client,
  { table, settings: { operation, method } }: ClientJob,
  { mix, settings }: ClientPlan,
  copy: CopyPlan | null,
): Promise<Operation> {
  if (operation === 'statement') {
    if (!mix) throw new DynoError('internal', 'A job of custom statements has none.');
    return mix.prepare(session, toError);
  }
  if (operation !== 'copy') return session.prepare({ table, operation, method, settings });
  if (!copy) throw new DynoError('internal', 'A copy has no source.');
  return copyInto(await session.prepare({ table, operation: 'insert', method, settings }), copy);
}

/** Makes so many calls of a tracker ready; fewer after a stop. */
const makeCalls = (
  { client: { channel }, job, plan, connections }: Trial,
  tracker: CallTracker,
  calls: number,
  options: Pick<PrepareOptions, 'onCalls' | 'asManyAsFit'> = {},
): Promise<void> =>
  prepareCalls({
    callSource: plan.loop.callSource,
    operations: connections.map(({ operation }) => operation),
    workers: job.workers,
    stopped: () => channel.stopped,
    tracker,
    calls,
    ...options,
  });

/** Warms up, and prepares the calls of which only the warm-up tells how many there will be. Resolves with its phases. */
async function warmUp(trial: Trial): Promise<readonly Phase[]> {
  const { client, job, plan, connections, load } = trial;
  const { measure, settings } = job;
  const { callSource } = plan.loop;
  const { workload } = plan;
  const byTime = measure.until === 'time';
  const isUnwarmed = measure.until === 'calls' || isCold(settings);
  const seconds = isUnwarmed ? 0 : byTime ? measure.warmupSeconds : Number.POSITIVE_INFINITY;
  const preparedLater = (callsPerSecond: number | null) =>
    plan.mix?.followsInserts ? 0 : workload.preparedAfterWarmUp(callsPerSecond);

  // 1. Rehearse the measured phase, with a prepared call on each connection if it will have such calls.
  const rehearsedSeconds = load.isScheduled ? 0 : Math.min(rehearsalSeconds, seconds / 2);
  const rehearsals: Phase[] = [];
  if (rehearsedSeconds > 0) {
    await makeCalls(trial, workload.warmup, Math.min(preparedLater(null), connections.length));
    rehearsals.push(await rehearse(trial, rehearsedSeconds));
  }

  // 2. Warm up.
  callSource.use(workload.warmup);
  const madeBeforeMs = callSource.generateMs + callSource.encodeMs;
  const warmupSeconds = seconds - rehearsedSeconds;
  const { phase, work } = load.begin('warmup', warmupSeconds);
  await runPhase(work, phase, client.channel);
  if (phase.failure) throw phase.failure;

  // 3. Prepare. Prepared calls take no time to make, so the time that the warm-up spent on it is not part of the rate.
  // The time to make them is sampled: one pause among few samples may make it longer than the whole warm-up.
  const makingSeconds = (callSource.generateMs + callSource.encodeMs - madeBeforeMs) / 1_000;
  const callingSeconds = Math.max(warmupSeconds - makingSeconds, warmupSeconds / 4);
  const rate = byTime && !isUnwarmed && callingSeconds > 0 ? phase.succeededCalls / callingSeconds : null;
  const more = workload.measure.mayPrepare ? preparedLater(rate) : 0;
  if (more > 0) {
    await makeCalls(trial, workload.measure, more, { asManyAsFit: true });
    collectGarbage();
  }
  return [...rehearsals, phase];
}

/** How long a rehearsal takes: less than until V8 compiles what it finds to be frequent. */
const rehearsalSeconds = 0.05;

/**
 * Does for a moment all that the measured phase does, its end included. V8 throws compiled code away when it takes a
 * branch for the first time, and when a field holds its first fraction: without the rehearsal, the end of the warm-up
 * would be such a first time, and half of what a call runs would have to be compiled again while it is measured.
 */
async function rehearse(trial: Trial, seconds: number): Promise<Phase> {
  const { client, job, plan, connections, load, split } = trial;
  const { callSource } = plan.loop;
  callSource.use(plan.workload.warmup);
  const { phase, work } = load.begin('warmup', seconds);
  const run = () => runPhase(work, phase, client.channel);
  await measurePhase(phase, { worker: job.worker, connections, callSource, split }, run, () => {});
  if (phase.failure) throw phase.failure;
  if (!client.channel.stopped) await reportWork(connections);
  return phase;
}

async function runMeasuredPhase({ client, job, plan, connections, load, split }: Trial): Promise<{
  readonly phase: Phase;
  readonly measured: Measured;
}> {
  const { channel, post } = client;
  const { measure, worker } = job;
  const { callSource } = plan.loop;
  callSource.use(plan.workload.measure);
  const { phase, work } = load.begin('measure', measure.until === 'time' ? measure.seconds : Number.POSITIVE_INFINITY);
  const run = () =>
    measure.calls === undefined
      ? runPhase(work, phase, channel)
      : runCallByCall(connections, phase, channel, measure.calls, (call) => post({ type: 'called', call }));
  const measured = await measurePhase(phase, { worker, connections, callSource, split }, run, (snapshot) =>
    post({ type: 'snapshot', snapshot }),
  );
  if (phase.failure) throw phase.failure;
  return { phase, measured };
}

/** The first calls would find in memory what plans need: it is not asked for them before. */
const startsUntouched = ({ measure, settings }: ClientJob): boolean => measure.until === 'calls' || isCold(settings);

/**
 * Asks for the query plans of the trial's statements in the first session of its first worker, which has run them; the
 * server counts that work before the measured phase, or after it.
 */
async function askPlans({ client, job, plan, connections }: Trial, when: PlanMoment): Promise<void> {
  const { descriptor, toError, post } = client;
  const { settings, worker } = job;
  const [first] = connections;
  if (worker > 0 || !first || descriptor.reference) return;
  const { callSource } = plan.loop;
  const { operation, session } = first;
  const asking = { toError, cancel: () => session.cancel() };
  const asked = async (): Promise<readonly AskedPlan[]> => {
    if (operation instanceof MixOperation) return operation.queryPlans(job.loadedRows - 1, asking);
    callSource.use(plan.workload.measure);
    const { queryPlan } = operation;
    const what = cellOf(descriptor, settings)?.implementation ?? settings.operation;
    const why = `Dyno asks ${descriptor.label} for no query plan of “${what}”.`;
    return [await askPlan(null, queryPlan && (() => queryPlan(callSource.example())), why, asking)];
  };
  const plans = await asked().catch((thrown: unknown) => [
    { statement: null, plan: null, reason: toError(thrown).message },
  ]);
  post({ type: 'queryPlans', when, plans: withLogicalNames(plans, job) });
}

/**
 * Has the work so far counted at the server (Session.reportWork). A connection that the phase broke cannot report,
 * which its failed calls tell.
 */
const reportWork = (connections: readonly ClientConnection[]): Promise<unknown> =>
  Promise.allSettled(connections.map(({ session }) => session.reportWork?.()));
