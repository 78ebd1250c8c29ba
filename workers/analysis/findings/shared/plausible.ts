import { callsInFlight } from '#model/settings/calls-in-flight.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { CallTime, Pauses, ProcessTime, SlowestCalls } from '#protocol/measurement.ts';
import { allCalls } from '../../cells/statement-summary.ts';
import type { StatementSummary } from '../../run-model/run-model.ts';

/**
 * Contradictory numbers show a measurement error without its cause, so rules do not receive them and answer *cannot
 * tell*.
 */

/** Clocks that are read one after the other differ by up to this much. */
const rounding = 1.02;
/** Call times are estimated from a sample, and a process counts and collects garbage while a call waits. */
export const meanwhile = 0.15;

/**
 * A process cannot have waited longer than it ran, nor spent more time on one activity than it did not wait.
 * `callTime`: the time of its only connection, whose waits leave it idle; null: it had several connections, or the time
 * is unknown.
 */
export function plausibleTime(time: ProcessTime | null, callTime: CallTime | null): ProcessTime | null {
  if (time === null) return null;
  const worked = time.wallMs - time.waitMs - time.idleMs;
  const most = worked + time.wallMs * (rounding - 1);
  const parts = [time.generateMs, time.encodeMs, time.decodeMs, time.engineMs, time.otherMs];
  const waited = (callTime?.waitMs ?? 0) * (1 - meanwhile);
  return most < 0 || parts.some((part) => part > most) || waited > time.waitMs + time.idleMs ? null : time;
}

/** The settings that decide how many calls are in flight. */
type InFlight = Pick<Settings, 'connections' | 'method' | 'pipelineDepth' | 'callsPerBatch'>;

/**
 * Calls cannot have taken longer than the time of their connections, because each connection waits for its answer
 * before it sends more.
 */
export const plausibleCallTime = (callTime: CallTime | null, settings: InFlight, elapsedMs: number): CallTime | null =>
  callTime !== null &&
  callsInFlight(settings) === 1 &&
  callTime.sendMs + callTime.waitMs + callTime.receiveMs > settings.connections * elapsedMs * (1 + meanwhile)
    ? null
    : callTime;

/** The statements of the file; null if their calls took longer than the time of the connections. */
export const plausibleStatements = (
  statements: readonly StatementSummary[],
  settings: InFlight,
  elapsedMs: number,
): readonly StatementSummary[] | null =>
  callsInFlight(settings) === 1 &&
  statements.reduce((sum, one) => sum + (one.kind === 'statement' ? allCalls(one).ms : 0), 0) >
    settings.connections * elapsedMs * (1 + meanwhile)
    ? null
    : statements;

/**
 * A process cannot have been without a processor for longer than it ran, nor collected garbage for longer than it
 * worked.
 */
export const plausiblePauses = (pauses: Pauses, time: ProcessTime | null, gcMs: number): Pauses | null =>
  time !== null &&
  ((pauses.noProcessorMs ?? 0) > time.wallMs * rounding || gcMs > (time.wallMs - time.waitMs - time.idleMs) * rounding)
    ? null
    : pauses;

/**
 * Pauses cannot have delayed more calls than there were, nor for longer than the calls took. Null also without calls.
 */
export const plausibleSlowest = (slowest: SlowestCalls | null): SlowestCalls | null =>
  slowest === null ||
  slowest.calls === 0 ||
  slowest.delayedByPauses > slowest.calls ||
  slowest.pausedMs > slowest.ms * rounding
    ? null
    : slowest;
