import type { ReactNode } from 'react';
import { formatBytes, formatMs, formatNumber, formatPercent, formatShort } from '#model/format/format.ts';
import { HelpButton } from '../help/help-button.tsx';
import { liveTopic } from '../help/help-store.ts';
import type { CurrentTrial, MeasuredTrial } from './current-trial.ts';
import { phaseText } from './run-log.ts';

interface Props {
  /** Null between two trials. */
  readonly trial: CurrentTrial | null;
  /** Null before the first figures. */
  readonly measured: MeasuredTrial | null;
  readonly unit: string;
}

/** What the figures are of: those of short trials arrive when the next one runs already. */
function sourceOf(measured: MeasuredTrial | null): string {
  if (measured === null) return 'No figures yet';
  const { isOver, variant, target, repeat } = measured;
  return isOver ? `Last trial: ${variant} on ${target}, repeat ${repeat}` : 'This trial, last second';
}

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

/** The trial that runs now, the newest figures, and whether the client keeps up. Its height never changes. */
export const NowPanel = ({ trial, measured, unit }: Props) => {
  const { figures = null, client = null } = measured ?? {};
  const latency = figures?.latency ?? null;
  const source = sourceOf(measured);
  return (
    <section className="panel now" aria-label="Current trial">
      <div className="now-trial">
        <p className="faint">Now</p>
        <p className="now-name" title={trial ? `${trial.variant} on ${trial.target}` : undefined}>
          {trial ? `${trial.variant} on ${trial.target}` : 'Between two trials'}
        </p>
        <p className="muted">{trial ? `repeat ${trial.repeat} · ${phaseText[trial.phase]}` : '\u00a0'}</p>
      </div>
      <div className="now-figures">
        <p className="faint now-source" title={source}>
          <span>{source}</span>
          <HelpButton about="Figures of the current trial" topic={liveTopic} />
        </p>
        <dl className="now-facts">
          <Fact title="Throughput">
            <strong>{formatShort(figures?.perSecond)}</strong> {unit}
          </Fact>
          <Fact title={latency?.of === 'max' ? 'Latency max (too few calls for p99)' : 'Latency p99'}>
            <strong>{formatMs(latency?.ms)}</strong>
          </Fact>
          <Fact title="Load generator busy">
            <strong>{formatPercent(client?.utilisation)}</strong>
          </Fact>
          <Fact title="Its cores and memory">
            <strong>{formatNumber(client?.cores, 2)}</strong> cores · {formatBytes(client?.rssBytes)}
          </Fact>
        </dl>
      </div>
    </section>
  );
};
