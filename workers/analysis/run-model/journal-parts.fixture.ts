import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type {
  CallCounts,
  ClientHealth,
  MachineUse,
  PhaseHealth,
  ProcessTime,
  TrialResult,
} from '#protocol/measurement.ts';
import type { PlannedTrial } from '#protocol/plan.ts';
import { Histogram } from '#stats/histogram/histogram.ts';

/** Parts of a run as journals record them, only for tests. All values are ordinary except those that a test sets. */

export const aMoment = '2026-11-20T08:00:00.000Z';

export const descriptorOf = (more: Partial<EngineDescriptor> = {}): EngineDescriptor => ({
  id: 'server',
  label: 'Server',
  driver: 'a driver',
  support: {},
  unsupportedReasons: {},
  uuids: { implementation: 'uuid', order: 'bytes' },
  cancel: 'server',
  maxConnections: null,
  config: [],
  builtIn: [],
  ...more,
});

export const fingerprintOf = (more: Partial<Fingerprint> = {}): Fingerprint => ({
  product: 'Server 1',
  version: '1',
  emulator: null,
  durability: {},
  memory: {},
  other: {},
  unavailable: [],
  ...more,
});

export const targetOf = (
  name: string,
  descriptor: EngineDescriptor,
  more: Partial<TargetRecord> = {},
): TargetRecord => ({
  name,
  engine: descriptor.id,
  descriptor,
  address: '127.0.0.1:5432/dyno',
  details: {},
  fingerprint: null,
  probeInfo: {},
  error: null,
  ...more,
});

/** Counts of calls that all succeeded. */
export const countsOf = (counts: Pick<CallCounts, 'calls' | 'rows' | 'service'> & Partial<CallCounts>): CallCounts => ({
  commits: counts.calls,
  errors: {},
  retries: 0,
  gaveUp: 0,
  lostMs: 0,
  failed: null,
  commit: null,
  ...counts,
});

/** A client process that waits for its server, on a system that does not report processors. */
export const healthOf = (lengthMs: number, more: Partial<PhaseHealth> = {}): PhaseHealth => ({
  cpuUserMs: 0,
  cpuSystemMs: 0,
  eventLoopUtilisation: 0.2,
  eventLoopDelayP99Ms: 0,
  gcMs: 0,
  rssBytes: 1e8,
  transactionMs: 0,
  pauseMs: 0,
  generateMs: 0,
  encodeMs: 0,
  inCallsMs: 0,
  wireSentBytes: null,
  wireReceivedBytes: null,
  processTime: waitingTime(lengthMs, more.generateMs, more.encodeMs),
  callTime: null,
  transactionTime: null,
  pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 0, noProcessorMs: null },
  slowest: { calls: 0, ms: 0, pausedMs: 0, delayedByPauses: 0, pauses: 0 },
  ...more,
});

/** The part of a result that snapshots contain as well. */
export const intervalOf = ({ slowest: _, ...health }: PhaseHealth): ClientHealth => health;

const waitingTime = (wallMs: number, generateMs = 0, encodeMs = 0): ProcessTime => ({
  wallMs,
  generateMs,
  encodeMs,
  decodeMs: 0,
  engineMs: 0,
  otherMs: 0,
  waitMs: Math.max(0, wallMs - generateMs - encodeMs),
  idleMs: 0,
});

/** Ten seconds of a machine with two processors on which only Dyno ran. */
export const machineUseOf = (more: Partial<MachineUse> = {}): MachineUse => ({
  wallMs: 10_000,
  cores: 2,
  busyMs: 6_000,
  stealMs: 0,
  pressureMs: 0,
  throttledMs: null,
  limitCores: null,
  frequencyMhz: 3_000,
  calculationUs: 200,
  dynoMs: 6_000,
  managedServersMs: 0,
  others: [],
  ...more,
});

/** A good trial with all rows verified. */
export const resultOf = (
  trial: PlannedTrial,
  measured: Pick<TrialResult, 'elapsedMs' | 'totals' | 'health'>,
  more: Partial<TrialResult> = {},
): TrialResult => ({
  ...trial,
  ...measured,
  status: 'ok',
  error: null,
  apartMs: 0,
  workers: 1,
  verification: {
    outcome: 'match',
    expectedRows: measured.totals.rows,
    foundRows: measured.totals.rows,
    note: 'Count and checksum.',
  },
  littleError: null,
  clientSaturated: false,
  storedBytes: null,
  probeDelta: {},
  phaseMs: {},
  ...more,
});

/** Runs of tests have thousands of histograms, whose buckets take 300 KB each, so all of them share one. */
const histogram = new Histogram();

/** The encoded histogram of this many calls with these times in ms. */
export function timesOf(...all: readonly (readonly [ms: number, calls: number])[]): string {
  histogram.reset();
  for (const [ms, calls] of all) histogram.recordMany(Math.round(ms * 1e6), calls);
  return histogram.encode();
}
