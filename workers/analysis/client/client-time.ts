import type { CallTime, ProcessTime } from '#protocol/measurement.ts';

/** Parts of a client process's time (ProcessTime): waiting comes first, time outside the experiment last. */
export const clientParts = ['wait', 'decode', 'encode', 'generate', 'engine', 'other', 'idle'] as const;
export type ClientPart = (typeof clientParts)[number];

export const partLabels: Readonly<Record<ClientPart, string>> = {
  wait: 'network and server',
  decode: 'decoding',
  encode: 'encoding',
  generate: 'data generation',
  engine: 'engine in the process',
  other: 'event loop',
  idle: 'idle',
};

/** Shares (0…1) of the time of one or more client processes; they add up to 1. */
export type ClientShares = Readonly<Record<ClientPart, number>>;

const msOf: Readonly<Record<ClientPart, Exclude<keyof ProcessTime, 'wallMs'>>> = {
  wait: 'waitMs',
  decode: 'decodeMs',
  encode: 'encodeMs',
  generate: 'generateMs',
  engine: 'engineMs',
  other: 'otherMs',
  idle: 'idleMs',
};

/** Null if no time passed. */
export function clientShares(times: readonly ProcessTime[]): ClientShares | null {
  const wallMs = times.reduce((sum, time) => sum + time.wallMs, 0);
  if (wallMs <= 0) return null;
  const share = (part: ClientPart) => times.reduce((sum, time) => sum + time[msOf[part]], 0) / wallMs;
  return Object.fromEntries(clientParts.map((part) => [part, share(part)])) as Record<ClientPart, number>;
}

/** One second of time, split in the mean proportions of these processes. */
export const timeOf = (all: readonly ClientShares[]): ProcessTime => ({
  wallMs: 1_000,
  ...(Object.fromEntries(
    clientParts.map((part) => [msOf[part], (1_000 * all.reduce((sum, shares) => sum + shares[part], 0)) / all.length]),
  ) as Record<Exclude<keyof ProcessTime, 'wallMs'>, number>),
});

/** The parts of a mean call's time in ms, and its number of round trips. */
export interface CallMeans {
  /** The number of calls, and the number of sampled calls. */
  readonly calls: number;
  readonly seen: number;
  readonly sendMs: number;
  readonly waitMs: number;
  readonly receiveMs: number;
  readonly roundTrips: number;
}

/** Null if a trial lacks call times, or no call was made. */
export function callMeans(times: readonly (CallTime | null)[]): CallMeans | null {
  const known = times.flatMap((time) => time ?? []);
  const sum = (of: keyof CallTime) => known.reduce((total, time) => total + time[of], 0);
  const calls = sum('calls');
  if (known.length < times.length || calls === 0) return null;
  return {
    calls,
    seen: sum('seen'),
    sendMs: sum('sendMs') / calls,
    waitMs: sum('waitMs') / calls,
    receiveMs: sum('receiveMs') / calls,
    roundTrips: sum('roundTrips') / calls,
  };
}
