import { formatBytes, formatMs, formatNumber, formatPercent, formatShort } from '#model/format/format.ts';
import type { CurrentTrial } from './current-trial.ts';
import { phaseText } from './run-log.ts';

interface Props {
  /** Null between two trials. */
  readonly trial: CurrentTrial | null;
  readonly unit: string;
}

/** The trial that runs now, and whether the client keeps up. Its height never changes. */
export const NowPanel = ({ trial, unit }: Props) => {
  const client = trial?.client ?? null;
  return (
    <section className="panel now" aria-label="Current trial">
      <div className="now-trial">
        <p className="faint">Now</p>
        <p className="now-name" title={trial ? `${trial.variant} on ${trial.target}` : undefined}>
          {trial ? `${trial.variant} on ${trial.target}` : 'Between two trials'}
        </p>
        <p className="muted">{trial ? `repeat ${trial.repeat} · ${phaseText[trial.phase]}` : '\u00a0'}</p>
      </div>
      <dl className="now-facts">
        <div>
          <dt>Throughput</dt>
          <dd>
            <strong>{formatShort(trial?.rowsPerSecond)}</strong> {unit}
          </dd>
        </div>
        <div>
          <dt>Latency p99</dt>
          <dd>
            <strong>{formatMs(trial?.p99Ms)}</strong>
          </dd>
        </div>
        <div>
          <dt>Load generator busy</dt>
          <dd>
            <strong>{formatPercent(client?.utilisation)}</strong>
          </dd>
        </div>
        <div>
          <dt>Its cores and memory</dt>
          <dd>
            <strong>{formatNumber(client?.cores, 2)}</strong> cores · {formatBytes(client?.rssBytes)}
          </dd>
        </div>
      </dl>
    </section>
  );
};
