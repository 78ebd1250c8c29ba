import type { ProbeInfo } from '#engine-api/probe.ts';
import { probeInfoOf } from '#engine-api/probe-info.ts';
import type { ProbeRole } from '#model/resource.ts';
import { variantOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import type { RunModel, TrialView } from '../run-model/run-model.ts';
import { type ServerTime, serverTimeOf } from './server-time.ts';
import { type ServerWaits, serverWaitsOf } from './server-waits.ts';

/** The server's figures of one cell, over its good repeats. */
export interface ServerSummary extends Cell {
  /** Null: see whyNoTime. */
  readonly time: ServerTime | null;
  /** The reason why the time is unknown, as a sentence; null if it is known. */
  readonly whyNoTime: string | null;
  /** Null: the server reports no waits, or there were none. */
  readonly waits: ServerWaits | null;
  /** Sums of counters by role; absent: the server has no counter of this role, or it went back. */
  readonly roles: Roles;
  /** The engine's names for the counters of a role. */
  readonly labels: Readonly<Partial<Record<ProbeRole, string>>>;
  readonly logBytesPerRow: number | null;
  /** Log bytes per commit; the client counted the commits. */
  readonly logBytesPerCommit: number | null;
  readonly pagesReadPerRow: number | null;
  /** Bytes written for sorts and hashes. */
  readonly tempBytesPerCall: number | null;
  /** `by` client: the bytes at its sockets, including begin and commit, because the server does not count them. */
  readonly roundTripsPerCall: { readonly value: number; readonly by: 'server' | 'client' } | null;
  /** Plans made ÷ statements executed (counted by the server; otherwise calls). */
  readonly hardParsesPerExecution: number | null;
  /** Cost of probes within the measured phases; null if no probe was timed. */
  readonly probing: ProbingCost | null;
}

export type Roles = Readonly<Partial<Record<ProbeRole, number>>>;

interface ProbingCost {
  readonly count: number;
  readonly meanMs: number;
  /** Greatest share (0…1) of the elapsed time in which the server may have been busy answering probes. */
  readonly share: number;
}

/** A time at which a counter of checkpoints had risen since the previous sample. */
interface CheckpointMark {
  readonly atMs: number;
  /** The time of the previous sample: the event lies between the two. */
  readonly sinceMs: number;
  readonly name: string;
  readonly label: string;
  readonly count: number;
}

type Facts = Pick<RunModel, 'plan' | 'targets' | 'trials'>;
type Infos = Readonly<Record<string, ProbeInfo>>;

/** Summaries of all cells whose server reported anything, in the plan's order. */
export function serverSummaries(model: Facts): readonly ServerSummary[] {
  const trials = Map.groupBy(model.trials, ({ trial }) => keyOf(trial));
  return model.plan.variants.flatMap(({ id: variant }) =>
    model.plan.targets.flatMap(({ name: target }) => {
      const record = model.targets.find(({ name }) => name === target);
      const views = (trials.get(keyOf({ variant, target })) ?? []).filter(({ result }) => result?.status === 'ok');
      if (record === undefined || record.descriptor.reference || views.length === 0) return [];
      const connections = variantOf(model.plan, variant)?.settings.connections;
      const inProcess = record.descriptor.inProcess ?? false;
      const summary = { variant, target, ...summarise(record.probeInfo, views, connections, inProcess) };
      const { time, waits, roles, probing } = summary;
      const isSilent = [time, waits, probing].every((one) => one === null) && Object.keys(roles).length === 0;
      return isSilent ? [] : [summary];
    }),
  );
}

function summarise(
  infos: Infos,
  views: readonly TrialView[],
  connections: number | undefined,
  inProcess: boolean,
): Omit<ServerSummary, keyof Cell> {
  const { roles, labels } = rolesOf(infos, views);
  const total = (of: (view: TrialView) => number) => views.reduce((sum, view) => sum + of(view), 0);
  const rows = total(({ result }) => result?.totals.rows ?? 0);
  const calls = total(({ result }) => result?.totals.calls ?? 0);
  const per = (amount: number | undefined, of: number) => (amount === undefined || of === 0 ? null : amount / of);
  const time = serverTimeOf(infos, views, connections);
  return {
    time,
    whyNoTime: time === null ? noTimeText(infos, inProcess) : null,
    waits: serverWaitsOf(infos, views, connections),
    roles,
    labels,
    logBytesPerRow: per(roles.logBytes, rows),
    logBytesPerCommit: per(
      roles.logBytes,
      total(({ result }) => result?.totals.commits ?? 0),
    ),
    tempBytesPerCall: per(roles.tempBytes, calls),
    pagesReadPerRow: per(roles.pagesRead, rows),
    roundTripsPerCall: roundTripsPerCall(roles, views, calls),
    hardParsesPerExecution: per(roles.hardParses, roles.executions ?? calls),
    probing: probingCost(views),
  };
}

/** The reason why the server's time by class is unknown. */
export function noTimeText(infos: Infos, inProcess: boolean): string {
  if (inProcess) return 'The engine works inside the client process: its time is the client’s.';
  return Object.values(infos).some((info) => info.class !== undefined)
    ? 'No sample was taken while the trials were measured (a longer measured phase has some), or the counters may not be read.'
    : 'This server does not report what its time goes into.';
}

/** Sums over trials of counters (and of bytes of timed work) by role. */
export function rolesOf(infos: Infos, views: readonly TrialView[]): Pick<ServerSummary, 'roles' | 'labels'> {
  const roles: Partial<Record<ProbeRole, number>> = {};
  const labels: Partial<Record<ProbeRole, string>> = {};
  const add = (name: string, amount: number | null) => {
    const info = probeInfoOf(infos, name);
    if (info?.role === undefined || amount === null) return;
    roles[info.role] = (roles[info.role] ?? 0) + amount;
    const known = labels[info.role];
    if (known === undefined) labels[info.role] = info.label;
    else if (!known.split('; ').includes(info.label)) labels[info.role] = `${known}; ${info.label}`;
  };
  for (const { result, series } of views) {
    for (const [name, delta] of Object.entries(result?.probeDelta ?? {})) add(name, delta);
    for (const [kind, { bytes }] of Object.entries(series.events)) add(kind, bytes);
  }
  return { roles, labels };
}

function roundTripsPerCall(
  { roundTrips }: Roles,
  views: readonly TrialView[],
  calls: number,
): ServerSummary['roundTripsPerCall'] {
  if (calls === 0) return null;
  if (roundTrips !== undefined) return { value: roundTrips / calls, by: 'server' };
  let seen = 0;
  for (const { result } of views) {
    const { callTime, transactionTime } = result?.health ?? {};
    if (!callTime || callTime.seen === 0) return null;
    seen += callTime.roundTrips + (transactionTime?.roundTrips ?? 0);
  }
  return { value: seen / calls, by: 'client' };
}

function probingCost(views: readonly TrialView[]): ProbingCost | null {
  let count = 0;
  let totalMs = 0;
  let elapsedMs = 0;
  for (const { result, series } of views) {
    const endMs = result?.elapsedMs ?? 0;
    elapsedMs += endMs;
    series.probing.atMs.forEach((atMs, i) => {
      const tookMs = series.probing.tookMs[i]!;
      // For an answer that was still pending at the end, only the part before the end counts.
      const withinMs = Math.min(tookMs, endMs - (atMs - tookMs));
      if (withinMs <= 0) return;
      count += 1;
      totalMs += withinMs;
    });
  }
  return count === 0 || elapsedMs === 0 ? null : { count, meanMs: totalMs / count, share: totalMs / elapsedMs };
}

/** Checkpoints of one trial, from the server's counters. */
export function checkpointMarks(infos: Infos, { series }: Pick<TrialView, 'series'>): readonly CheckpointMark[] {
  return Object.entries(series.probes)
    .flatMap(([name, { atMs, perSecond }]) => {
      const info = probeInfoOf(infos, name);
      if (info?.role !== 'checkpoints') return [];
      return atMs.flatMap((at, i) => {
        const sinceMs = atMs[i - 1] ?? 0;
        const count = Math.round((perSecond[i]! * (at - sinceMs)) / 1_000);
        return count > 0 ? [{ atMs: at, sinceMs, name, label: info.label, count }] : [];
      });
    })
    .toSorted((a, b) => a.atMs - b.atMs);
}
