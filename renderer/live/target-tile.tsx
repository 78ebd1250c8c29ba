import { formatCount, formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import { many } from '#model/text/plural.ts';
import { Swatch } from '../charts/swatch.tsx';
import { phaseText } from './run-log.ts';
import type { TargetStatus } from './target-status.ts';

function activity(status: TargetStatus): string {
  if (status.problem) return 'cannot be used';
  if (status.now) return `${phaseText[status.now.phase]}: ${status.now.variant}`;
  if (status.trialsDone === status.trialsPlanned) return 'done';
  return status.trialsDone === 0 ? 'waits for its first trial' : 'waits for its next trial';
}

function formatTrials({ trialsDone, trialsPlanned, atMost }: TargetStatus): string {
  if (trialsPlanned === null) return `${many(trialsDone, 'trial')} so far`;
  return `${trialsDone} of ${atMost ? 'at most ' : ''}${trialsPlanned} trials`;
}

export const TargetTile = ({ status }: { readonly status: TargetStatus }) => (
  <section className="tile panel" aria-label={`Target ${status.name}`}>
    <header className="tile-head">
      <Swatch index={status.index} />
      <h2>{status.name}</h2>
      <span className="grow" />
      <span className="faint">{formatTrials(status)}</span>
    </header>
    {status.problem ? (
      <p className="tile-problem">
        {status.problem.message} {status.problem.hint}
      </p>
    ) : (
      <>
        <p className="tile-number">
          <strong>{formatNumber(status.rowsPerSecond)}</strong> rows/s
        </p>
        <dl className="tile-facts">
          <div>
            <dt>Latency p99</dt>
            <dd>{formatMs(status.p99Ms)}</dd>
          </div>
          <div>
            <dt>Errors</dt>
            <dd className={status.errors > 0 ? 'bad' : undefined}>{formatCount(status.errors)}</dd>
          </div>
          {status.lost && (
            <div>
              <dt>Retry overhead</dt>
              <dd>
                {formatPercent(status.lost.share)} ({formatCount(status.lost.retries)})
              </dd>
            </div>
          )}
          <div className="tile-variant">
            <dt>Variant</dt>
            <dd>{status.measuredVariant ?? '–'}</dd>
          </div>
        </dl>
      </>
    )}
    <p className="tile-activity muted">{activity(status)}</p>
  </section>
);
