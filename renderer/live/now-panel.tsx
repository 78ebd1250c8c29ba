import type { ReactNode } from 'react';
import { formatBytes, formatMs, formatNumber, formatPercent, formatShort } from '#model/format/format.ts';
import { HelpButton } from '../help/help-button.tsx';
import { liveTopic } from '../help/help-store.ts';
import type { MeasuredTrial } from './measured-trial.ts';
import { texts } from './text.ts';

interface Props {
  /** Null before the first figures. */
  readonly measured: MeasuredTrial | null;
  readonly unit: string;
}

/** The trial of the figures: those of short trials arrive when the next one already runs. */
function sourceOf(measured: MeasuredTrial | null): string {
  if (measured === null) return texts.nowPanel.noFiguresYet;
  const { isOver, variant, target, repeat } = measured;
  const words = isOver ? texts.nowPanel.lastTrial : texts.nowPanel.lastSecond;
  return words(variant, target, repeat);
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

/** The newest figures, and whether the client keeps up. Its height never changes. */
export const NowPanel = ({ measured, unit }: Props) => {
  const { figures = null, client = null } = measured ?? {};
  const isMax = figures?.latency?.of === 'max';
  const source = sourceOf(measured);
  return (
    <section className="panel now" aria-label={texts.nowPanel.newestFigures}>
      <p className="faint now-source" title={source}>
        <span>{source}</span>
        <HelpButton about={texts.nowPanel.newestFigures} topic={liveTopic} />
      </p>
      <dl className="now-facts">
        <Fact title={texts.nowPanel.throughput}>
          <strong>{formatShort(figures?.perSecond)}</strong> {figures && unit}
        </Fact>
        <Fact
          title={isMax ? texts.nowPanel.latencyMax : texts.nowPanel.latencyP99}
          about={isMax ? texts.nowPanel.tooFewCallsForP99 : undefined}
        >
          <strong>{formatMs(figures?.latency?.ms)}</strong>
        </Fact>
        <Fact title={texts.nowPanel.loadGeneratorBusy}>
          <strong>{formatPercent(client?.utilisation)}</strong>
        </Fact>
        <Fact title={texts.nowPanel.itsCoresAndMemory}>
          <strong>{formatNumber(client?.cores, 2)}</strong>{' '}
          {client && texts.nowPanel.cores(formatBytes(client.rssBytes))}
        </Fact>
      </dl>
    </section>
  );
};
