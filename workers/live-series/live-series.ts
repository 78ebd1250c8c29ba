import { toErrorData } from '#model/error.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { Plan } from '#protocol/plan.ts';
import { formatAddress, isThisMachine, type ListenAddress, metricsUrl } from './addresses.ts';
import { pointsIn, resourceMetrics, resourceOf } from './metric-data.ts';
import { openOtlpSender } from './otlp-sender.ts';
import { openPrometheusEndpoint } from './prometheus-endpoint.ts';
import { createRunSeries } from './run-series.ts';

/** The members of a run that its series are made of. */
interface FollowedRun {
  readonly id: string;
  readonly plan: Plan;
  readonly progress: RunProgress;
  on(event: 'record', listener: (record: JournalRecord) => void): () => void;
}

/** The places to which series go. */
interface Places {
  /** The address of a collector. Null: none. */
  readonly otlp: string | null;
  /** Null: there is no endpoint. */
  readonly prometheus: ListenAddress | null;
}

/** Sends the series of runs to other programs, second by second. Its disposal waits shortly for the last answer. */
export interface LiveSeries extends AsyncDisposable {
  /** Follows a run until it is disposed. */
  follow(run: FollowedRun): Disposable;
}

const everyMs = 1_000;

/** `say`: tells the user. Throws 'badInput' if an address cannot be used. Nothing is sent before a run is followed. */
export async function openLiveSeries({ otlp, prometheus }: Places, say: (text: string) => void): Promise<LiveSeries> {
  const sender = otlp === null ? null : openOtlpSender(metricsUrl(otlp), say);
  let current: { readonly version: number; read(): ReturnType<typeof resourceMetrics> } | null = null;
  const endpoint = prometheus && (await openPrometheusEndpoint(prometheus, () => current));
  if (prometheus) {
    const open = isThisMachine(prometheus.host) ? '' : ' (whoever reaches this machine can read them)';
    say(`live series: http://${formatAddress(prometheus)}/metrics${open}`);
  }
  return {
    follow(run) {
      const sinceMs = Date.now();
      const series = createRunSeries(run.plan, () => run.progress);
      const resource = resourceOf(run.id, run.plan.experiment.name);
      const batch = (which: 'all' | 'trial') => {
        const points = series.read(which);
        return { metrics: resourceMetrics(resource, points, sinceMs, Date.now()), points: pointsIn(points) };
      };
      const send = (which: 'all' | 'trial') => {
        const made = sender && batch(which);
        if (made && made.points > 0) sender.send(made);
      };
      /** A defect here must not end the run that it looks at. */
      const guarded = (act: () => void) => {
        try {
          act();
        } catch (thrown) {
          stop();
          say(`live series: ${toErrorData(thrown).message} The run goes on without them.`);
        }
      };
      current = {
        get version() {
          return series.version;
        },
        read: () => batch('all').metrics,
      };
      const timer = setInterval(() => guarded(() => send('trial')), everyMs);
      const off = run.on('record', (record) =>
        guarded(() => {
          series.take(record);
          if (record.record === 'result') send('trial');
        }),
      );
      const stop = () => {
        clearInterval(timer);
        off();
      };
      return {
        [Symbol.dispose]() {
          stop();
          // Later trials may have kept the last points of a series from being sent.
          guarded(() => send('all'));
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await sender?.end();
      await endpoint?.[Symbol.asyncDispose]();
    },
  };
}
