import { connectingMs } from '#analysis/client/connecting-time.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { ErrorData } from '#model/error.ts';
import { callsInFlight } from '#model/settings/calls-in-flight.ts';
import { loadModel } from '#model/statements/load-model.ts';
import type { GivenAnswers, TrialResult, TrialStatus, WorkerResult } from '#protocol/measurement.ts';
import type { PlannedTrial, Variant } from '#protocol/plan.ts';
import { mergeReported } from '#protocol/session-values.ts';
import { spread } from '../worker/clients.ts';
import {
  apartMs,
  elapsedMs,
  mergeCounts,
  mergeHealth,
  mergeLoads,
  mergeStatements,
  noCalls,
  noHealth,
} from '../worker/merge-results.ts';
import { isClientSaturated, littleError } from './client-rules.ts';
import { totalWorkers } from './load-host-use.ts';
import { notVerified } from './verification.ts';

/** The results that a trial has measured and verified so far. */
export interface TrialDraft
  extends Pick<
    TrialResult,
    | 'verification'
    | 'checks'
    | 'answers'
    | 'givenAnswers'
    | 'serverParameters'
    | 'storedBytes'
    | 'untrustedForeignKeys'
    | 'probeDelta'
    | 'waits'
    | 'roundTrip'
    | 'machine'
    | 'network'
    | 'builds'
    | 'tableLoads'
    | 'valueBytes'
    | 'indexBytes'
    | 'teardownErrors'
    | 'pageUse'
    | 'perCall'
    | 'loadHosts'
  > {
  readonly results: readonly WorkerResult[];
  /** The server's checksum of the table (null: it keeps no rows); absent if not requested yet. */
  readonly found?: TableChecksum | null;
  readonly error: ErrorData | null;
  /** The statements of which no call could be sampled, each with the reason. */
  readonly unsampled: readonly GivenAnswers[];
}

/** A trial that has measured nothing. */
export const emptyDraft: TrialDraft = {
  results: [],
  error: null,
  unsampled: [],
  verification: notVerified('The trial did not get that far.'),
  storedBytes: null,
  probeDelta: {},
};

/**
 * Merges the workers' results and applies the rules about the client. The rules do not apply to calls that are reported
 * one by one, because the connection waits between them for an uncounted time. Pure.
 */
export function toResult(
  trial: PlannedTrial,
  variant: Variant,
  descriptor: EngineDescriptor,
  draft: TrialDraft,
  status: TrialStatus,
  error: ErrorData | null,
  phaseMs: TrialResult['phaseMs'],
): TrialResult {
  const { results } = draft;
  const { connections, processes } = variant.settings;
  const load = loadModel(variant.settings);
  const shares = spread(connections, draft.loadHosts ? totalWorkers(draft.loadHosts) : processes);
  const inProcess = descriptor.inProcess ?? false;
  const elapsed = elapsedMs(results);
  const health = results.length > 0 ? mergeHealth(results.map((one) => one.health)) : noHealth;
  return {
    ...trial,
    status,
    error: error ?? results.flatMap((one) => one.errorExamples)[0] ?? null,
    elapsedMs: elapsed,
    apartMs: apartMs(results),
    totals: results.length > 0 ? mergeCounts(results.map((one) => one.totals)) : noCalls,
    health,
    ...statementsOf(results),
    ...stagesOf(results),
    workers: results.length,
    ...(draft.loadHosts && { loadHosts: draft.loadHosts }),
    verification: draft.verification,
    ...(draft.checks && { checks: draft.checks }),
    ...(draft.answers && { answers: draft.answers }),
    ...(draft.givenAnswers && { givenAnswers: draft.givenAnswers }),
    ...sampledOf(draft),
    littleError:
      // Little's law needs a constant number of users, and stages change it.
      status === 'ok' && load.kind === 'closed' && !draft.perCall && results.every(({ stages }) => !stages)
        ? littleError({
            results,
            users: load.users,
            userMs: results.reduce(
              (sum, one) => sum + (((shares[one.worker] ?? 0) * load.users) / connections) * elapsedMs([one]),
              0,
            ),
            pipelined: callsInFlight(variant.settings) > 1,
            inProcess,
            health,
          })
        : null,
    clientSaturated:
      !draft.perCall &&
      isClientSaturated(
        results.map((one) => ({
          health: one.health,
          elapsedMs: elapsedMs([one]),
          connectMs: connectingMs(one.totals),
        })),
        inProcess,
      ),
    ...(draft.perCall && { perCall: draft.perCall }),
    ...(draft.machine && { machine: draft.machine }),
    ...(draft.roundTrip && { roundTrip: draft.roundTrip }),
    ...(draft.network && { network: draft.network }),
    ...sessionSettingsOf(results),
    ...(draft.serverParameters && { serverParameters: draft.serverParameters }),
    storedBytes: draft.storedBytes,
    ...(draft.untrustedForeignKeys !== undefined && { untrustedForeignKeys: draft.untrustedForeignKeys }),
    ...(draft.builds && { builds: draft.builds }),
    ...(draft.tableLoads && { tableLoads: draft.tableLoads }),
    ...(draft.valueBytes && { valueBytes: draft.valueBytes }),
    ...(draft.indexBytes && { indexBytes: draft.indexBytes }),
    ...(draft.teardownErrors && { teardownErrors: draft.teardownErrors }),
    ...(draft.pageUse && { pageUse: draft.pageUse }),
    probeDelta: draft.probeDelta,
    ...(draft.waits && { waits: draft.waits }),
    phaseMs,
  };
}

function statementsOf(results: readonly WorkerResult[]): Pick<TrialResult, 'statements'> {
  const all = results.flatMap(({ statements }) => (statements ? [statements] : []));
  return all.length > 0 ? { statements: mergeStatements(all) } : {};
}

/** The sessions of all workers have the same settings. */
function sessionSettingsOf(results: readonly WorkerResult[]): Pick<TrialResult, 'sessionSettings'> {
  const all = results.flatMap(({ sessionSettings }) => (sessionSettings ? [sessionSettings] : []));
  return all[0] ? { sessionSettings: mergeReported(Object.keys(all[0]), all) } : {};
}

function sampledOf({ results, unsampled }: TrialDraft): Pick<TrialResult, 'sampledAnswers'> {
  const all = [...results.flatMap(({ sampledAnswers = [] }) => sampledAnswers), ...unsampled];
  return all.length > 0 ? { sampledAnswers: all } : {};
}

/** Workers have the same stages in the same order. */
function stagesOf(results: readonly WorkerResult[]): Pick<TrialResult, 'stages'> {
  const all = results.flatMap(({ stages }) => (stages ? [stages] : []));
  return all[0] ? { stages: all[0].map((_, i) => mergeLoads(all.flatMap((stages) => stages[i] ?? []))) } : {};
}
