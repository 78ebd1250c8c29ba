import type { ProcessorTimes } from '#load-hosts/load-host.ts';
import type { LoadHostSample, LoadHostUse, WorkerResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { type HostWorkers, spread } from '../worker/clients.ts';
import { elapsedMs } from '../worker/merge-results.ts';
import { isClientSaturated } from './client-rules.ts';

/** The use of each load host over a measured phase. */
interface HostWatch extends Disposable {
  /** Starts to watch the hosts and to report their state once a second. */
  begin(): void;
  end(): void;
  /** One record for each host that has results of all its workers. */
  of(results: readonly WorkerResult[], connections: number): readonly LoadHostUse[];
}

const sampleEachMs = 1_000;

export function watchHosts(
  hosts: readonly HostWorkers[],
  onSample: (atMs: number, hosts: readonly LoadHostSample[]) => void,
): HostWatch {
  let before: readonly (ProcessorTimes | null)[] = [];
  let after: readonly (ProcessorTimes | null)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const read = () => hosts.map(({ host }) => host.processors);
  const firstWorkers = hosts.map((_, i) => totalWorkers(hosts.slice(0, i)));
  const tellEachSecond = () => {
    const from = performance.now();
    let last = before;
    const tell = (atMs: number) => {
      const now = read();
      onSample(
        atMs,
        hosts.map(({ host, workers }, i) => ({
          name: host.name,
          firstWorker: firstWorkers[i] ?? 0,
          workers,
          cores: host.cores,
          processorsBusy: busyShare(last[i] ?? null, now[i] ?? null),
          clockErrorMs: host.clock?.errorMs ?? null,
          roundTripMs: host.clock?.roundTripMs ?? null,
        })),
      );
      last = now;
    };
    tell(0);
    timer = setInterval(() => tell(performance.now() - from), sampleEachMs);
  };
  const stop = () => clearInterval(timer);
  return {
    begin() {
      before = read();
      if (hosts.length > 0) tellEachSecond();
    },
    end() {
      stop();
      after = read();
    },
    [Symbol.dispose]: stop,
    of(results, connections) {
      const shares = spread(connections, totalWorkers(hosts));
      const began = results.map(({ beganNs }) => BigInt(beganNs));
      const first = began.reduce((a, b) => (b < a ? b : a), began[0] ?? 0n);
      return hosts.flatMap(({ host, workers }, i) => {
        const from = firstWorkers[i] ?? 0;
        const own = results.filter(({ worker }) => worker >= from && worker < from + workers);
        if (own.length < workers) return [];
        const last = own.map(({ beganNs }) => BigInt(beganNs)).reduce((a, b) => (b > a ? b : a));
        const served = own.map(({ totals }) => Histogram.decode(totals.service)).filter(({ count }) => count > 0);
        const count = served.reduce((sum, one) => sum + one.count, 0);
        return [
          {
            name: host.name,
            firstWorker: from,
            workers,
            connections: shares.slice(from, from + workers).reduce((sum, one) => sum + one, 0),
            beganAfterMs: Number(last - first) / 1e6,
            clockErrorMs: host.clock?.errorMs ?? null,
            roundTripMs: host.clock?.roundTripMs ?? null,
            wallClockOffMs: host.clock?.wallOffMs ?? null,
            cores: host.cores,
            processorsBusy: busyShare(before[i] ?? null, after[i] ?? null),
            eventLoopUtilisation: Math.max(0, ...own.map(({ health }) => health.eventLoopUtilisation)),
            clientSaturated: isClientSaturated(
              own.map((one) => ({ health: one.health, elapsedMs: elapsedMs([one]) })),
              false,
            ),
            calls: own.reduce((sum, { totals }) => sum + totals.calls, 0),
            meanServiceMs: count > 0 ? served.reduce((sum, one) => sum + one.mean * one.count, 0) / count / 1e6 : null,
          },
        ];
      });
    },
  };
}

/** Number of worker processes of all hosts. */
export const totalWorkers = (hosts: readonly Pick<HostWorkers, 'workers'>[]): number =>
  hosts.reduce((sum, { workers }) => sum + workers, 0);

function busyShare(from: ProcessorTimes | null, to: ProcessorTimes | null): number | null {
  if (from === null || to === null) return null;
  const busy = to.busyMs - from.busyMs;
  const all = busy + to.idleMs - from.idleMs;
  return all > 0 && busy >= 0 ? Math.min(1, busy / all) : null;
}
