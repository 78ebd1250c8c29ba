import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { report } from '#engines/shared/bench-report.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { type Interval, meanInterval } from '#stats/intervals/intervals.ts';
import { median } from '#stats/intervals/summary.ts';
import type { BenchRun } from './bench-server.fixture.ts';

/** One client's operations (or transactions) per second, and processor time for each; null if unknown. */
export interface ClientRate {
  readonly perSecond: number;
  readonly cpuUs: number | null;
}

/**
 * The trials of an experiment, each followed by the peer's on the same server. `peer` receives the previous trial, to
 * run as many operations. Throws if a trial failed.
 */
export async function besidePeer(
  { home, yaml, variables }: BenchRun,
  peer: (trial: TrialResult) => Promise<ClientRate>,
  callsPerOperation = 1,
): Promise<readonly { readonly ours: ClientRate; readonly theirs: ClientRate }[]> {
  const run = await newTrustedRun({ home, yaml, variables });
  const pairs: { ours: ClientRate; theirs: ClientRate }[] = [];
  let last: Promise<void> = Promise.resolve();
  run.on('record', (record) => {
    if (record.record !== 'result') return;
    // The next trial waits.
    run.pause(true);
    const { result } = record;
    const pair = async (): Promise<void> => {
      const failed = Object.values(result.totals.errors).reduce((sum, n) => sum + n, 0);
      if (result.status !== 'ok' || failed > 0) throw new Error(result.error?.message ?? `${failed} calls failed.`);
      pairs.push({ ours: rateOf(result, callsPerOperation), theirs: await peer(result) });
    };
    last = Promise.all([last, pair()]).then(() => run.pause(false));
    last.catch(() => run.cancel());
  });
  const { error } = await run.start();
  await last;
  if (error) throw new Error(error.message);
  return pairs;
}

const rateOf = (result: TrialResult, callsPerOperation: number): ClientRate => ({
  perSecond: throughputOf(result) / callsPerOperation,
  cpuUs: ((result.health.cpuUserMs + result.health.cpuSystemMs) * 1_000 * callsPerOperation) / result.totals.calls,
});

/**
 * Processor time of this process's ended children, ms; null except on Linux (proc(5), stat: cutime, cstime, 100
 * ticks/s).
 */
function childrenMs(): number | null {
  if (process.platform !== 'linux') return null;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return (user! + system!) * 10;
}

/** Runs a program to its end; returns its output and its processor time, ms. */
export async function runPeer(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly stdout: string; readonly cpuMs: number | null }> {
  const before = childrenMs();
  const { stdout } = await promisify(execFile)(program, args, { env });
  const after = childrenMs();
  return { stdout, cpuMs: before === null || after === null ? null : after - before };
}

/** Ours ÷ theirs for each pair, with the interval of the geometric mean. */
function ratioOf(
  pairs: readonly { readonly ours: ClientRate; readonly theirs: ClientRate }[],
  of: (rate: ClientRate) => number | null,
): Interval | null {
  const logs = pairs.flatMap(({ ours, theirs }) => {
    const [own, other] = [of(ours), of(theirs)];
    return own === null || other === null ? [] : Math.log(own / other);
  });
  const mean = meanInterval(logs);
  return mean?.low == null || mean.high === null
    ? null
    : { n: mean.n, value: Math.exp(mean.value), low: Math.exp(mean.low), high: Math.exp(mean.high) };
}

const ratioWords = (ratio: Interval | null): string =>
  ratio === null ? '–' : `${ratio.value.toFixed(2)} (${ratio.low!.toFixed(2)}–${ratio.high!.toFixed(2)})`;

type Pairs = Awaited<ReturnType<typeof besidePeer>>;

/** A line about pairs of trials. `server`: its product and version. */
export function printPairs(name: string, peer: string, pairs: Pairs, server: string, note = ''): void {
  const rate = (of: 'ours' | 'theirs') => median(pairs.map((pair) => pair[of].perSecond));
  const cpuUs = (of: 'ours' | 'theirs') => {
    const known = pairs.flatMap((pair) => pair[of].cpuUs ?? []);
    return known.length > 0 ? median(known) : null;
  };
  const ratio = ratioOf(pairs, (one) => one.perSecond);
  const cpuRatio = ratioOf(pairs, (one) => one.cpuUs);
  const words = (of: 'ours' | 'theirs') =>
    `${(rate(of) / 1_000).toFixed(1)} k/s at ${cpuUs(of)?.toFixed(1) ?? '–'} µs of processor each`;
  console.log(
    `${name}: ${words('ours')}, ${peer} ${words('theirs')}:  throughput ${ratioWords(ratio)} ×   processor ${ratioWords(cpuRatio)} ×${note && `   (${note})`}`,
  );
  if (ratio === null) return;
  report({
    ...{ table: 'calls', row: name, server, peer, ratio: ratio.value, cpuRatio: cpuRatio?.value ?? null },
    ...{ perSecond: rate('ours'), cpuUs: cpuUs('ours'), peerPerSecond: rate('theirs'), peerCpuUs: cpuUs('theirs') },
  });
}

/** The version that a program reports. */
export async function versionOf(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim();
}
