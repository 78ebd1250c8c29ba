import type { ReactNode } from 'react';
import { formatBytes, formatMs, formatNumber, formatPercent, formatShort } from '#model/format/format.ts';
import { HelpButton } from '../help/help-button.tsx';
import { liveTopic } from '../help/help-store.ts';
import type { MeasuredTrial } from './measured-trial.ts';

interface Props {
  /** The measured trial. Null before the first metrics. */
  readonly measured: MeasuredTrial | null;
  readonly unit: string;
}

/** The trial of the metrics. Metrics of short trials arrive when the next trial is already running. */
function sourceOf(measured: MeasuredTrial | null): string {
  if (measured === null) return 'No values yet';
  const { isOver, variant, target, repeat } = measured;
  return `${isOver ? 'Last trial' : 'Last second'}: ${variant} on ${target}, repeat ${repeat}`;
}

interface FactProps {
  readonly title: string;
  readonly about?: string | undefined;
  readonly children: ReactNode;
}

const Fact = ({ title, about, children }: FactProps) => (
  <div>
    <dt title={about}>{title}</dt>
    <dd>{children}</dd>
  </div>
);

/** The newest metrics, and whether the client keeps up. The panel has a fixed height. */
export const NowPanel = ({ measured, unit }: Props) => {
  const { figures = null, client = null } = measured ?? {};
  const isMax = figures?.latency?.of === 'max';
  const source = sourceOf(measured);
  return (
    <section className="panel now" aria-label="Latest values">
      <p className="faint now-source" title={source}>
        <span>{source}</span>
        <HelpButton about="Latest values" topic={liveTopic} />
      </p>
      <dl className="now-facts">
        <Fact title="Throughput">
          <strong>{formatShort(figures?.perSecond)}</strong> {figures && unit}
        </Fact>
        <Fact title={isMax ? 'Latency max' : 'Latency p99'} about={isMax ? 'Too few calls for p99' : undefined}>
          <strong>{formatMs(figures?.latency?.ms)}</strong>
        </Fact>
        <Fact title="Load generator busy">
          <strong>{formatPercent(client?.utilisation)}</strong>
        </Fact>
        <Fact title="Cores and memory">
          <strong>{formatNumber(client?.cores, 2)}</strong> {client && `cores · ${formatBytes(client.rssBytes)}`}
        </Fact>
      </dl>
    </section>
  );
};
