import type { ReactNode } from 'react';
import { formatBytes, formatMs, formatNumber, formatPercent, formatShort } from '#model/format/format.ts';
import { HelpButton } from '../help/help-button.tsx';
import { liveTopic } from '../help/help-store.ts';
import type { CurrentTrial, MeasuredTrial } from './current-trial.ts';
import { phaseText } from './run-log.ts';
import { texts } from './text.ts';

interface Props {
  /** Null between two trials. */
  readonly trial: CurrentTrial | null;
  /** Null before the first figures. */
  readonly measured: MeasuredTrial | null;
  readonly unit: string;
}

/** What the figures are of: those of short trials arrive when the next one runs already. */
function sourceOf(measured: MeasuredTrial | null): string {
  if (measured === null) return texts.nowPanel.noFiguresYet;
  const { isOver, variant, target, repeat } = measured;
  return isOver ? texts.nowPanel.lastTrialOnRepeat(variant, target, repeat) : texts.nowPanel.thisTrialLastSecond;
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
    <section className="panel now" aria-label={texts.nowPanel.currentTrial}>
      <div className="now-trial">
        <p className="faint">{texts.nowPanel.now}</p>
        <p className="now-name" title={trial ? texts.nowPanel.on(trial.variant, trial.target) : undefined}>
          {trial ? texts.nowPanel.on(trial.variant, trial.target) : texts.nowPanel.betweenTwoTrials}
        </p>
        <p className="muted">{trial ? texts.nowPanel.repeat(trial.repeat, phaseText[trial.phase]) : '\u00a0'}</p>
      </div>
      <div className="now-figures">
        <p className="faint now-source" title={source}>
          <span>{source}</span>
          <HelpButton about={texts.nowPanel.figuresOfTheCurrentTrial} topic={liveTopic} />
        </p>
        <dl className="now-facts">
          <Fact title={texts.nowPanel.throughput}>
            <strong>{formatShort(figures?.perSecond)}</strong> {unit}
          </Fact>
          <Fact title={latency?.of === 'max' ? texts.nowPanel.latencyMaxTooFewCalls : texts.nowPanel.latencyP99}>
            <strong>{formatMs(latency?.ms)}</strong>
          </Fact>
          <Fact title={texts.nowPanel.loadGeneratorBusy}>
            <strong>{formatPercent(client?.utilisation)}</strong>
          </Fact>
          <Fact title={texts.nowPanel.itsCoresAndMemory}>
            <strong>{formatNumber(client?.cores, 2)}</strong> {texts.nowPanel.cores(formatBytes(client?.rssBytes))}
          </Fact>
        </dl>
      </div>
    </section>
  );
};
