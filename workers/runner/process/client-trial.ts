import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { isCold } from '#engine-api/support/cold-cache.ts';
import { cellOf } from '#engine-api/support/support-of.ts';
import type { ErrorData } from '#model/error.ts';
import type { ClientJob, ToHost } from '#protocol/messages.ts';
import type { AskedPlan, PlanMoment } from '#protocol/query-plans.ts';
import type { TrialLoad } from '../load/trial-load.ts';
import type { ClientConnection } from '../loop/client-connection.ts';
import type { ControlChannel } from '../loop/control-channel.ts';
import { askPlan, withLogicalNames } from '../operations/ask-plans.ts';
import type { OpenSourceTarget } from '../operations/copy.ts';
import { MixOperation } from '../operations/mix-operation.ts';
import type { TimeSplit } from '../timing/time-split.ts';
import type { CallTracker } from '../workload/call-tracker.ts';
import { type PrepareOptions, prepareCalls } from '../workload/prepare-calls.ts';
import type { ClientPlan } from './client-plan.ts';

/** The tools of a client worker. */
export interface Client {
  readonly descriptor: EngineDescriptor;
  readonly database: Database;
  readonly channel: ControlChannel;
  readonly toError: (thrown: unknown) => ErrorData;
  readonly post: (message: ToHost) => void;
  /** Opens the source target of a copy if it is a different one. */
  readonly openSourceTarget?: OpenSourceTarget;
}

/** The state that the phases of a trial share. */
export interface Trial {
  readonly client: Client;
  readonly job: ClientJob;
  readonly plan: ClientPlan;
  readonly connections: readonly ClientConnection[];
  readonly load: TrialLoad;
  readonly split: TimeSplit;
}

/** Prepares this many calls of a tracker, or fewer after a stop. */
export const makeCalls = (
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

/** Nothing runs before the first call, not even a request for its plan, which would load data into memory. */
export const startsUntouched = ({ measure, settings }: ClientJob): boolean =>
  measure.until === 'calls' || isCold(settings);

/**
 * Asks for the query plans of the trial's statements in the first session of its first worker, which has run them; the
 * server counts that work before the measured phase, or after it.
 */
export async function askPlans({ client, job, plan, connections }: Trial, when: PlanMoment): Promise<void> {
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
 * Makes the server count the work so far (Session.reportWork). A connection that the phase broke cannot report; its
 * failed calls show the reason.
 */
export const reportWork = (connections: readonly ClientConnection[]): Promise<unknown> =>
  Promise.allSettled(connections.map(({ session }) => session.reportWork?.()));
