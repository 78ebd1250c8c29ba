import type { RunModel } from '#analysis/run-model/run-model.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { describePrecision } from '#presentation/text/precision-text.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import { formatWait } from '../ui/format-wait.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';

interface Props {
  readonly progress: RunProgress;
  readonly plan: RunModel['plan'];
}

/** Progress and activity of a live run; with varying repeats also its precision. */
export const RunProgressLine = ({ progress, plan }: Props) => {
  const { precision, secondsLeft, trialsDone, trialsPlanned } = progress;
  const most = plan.measure.search
    ? 'about '
    : repeatsOf(plan.measure).relativeMargin === null || trialsPlanned < plan.trials.length
      ? ''
      : 'at most ';
  return (
    <div className="run-progress">
      <ProgressBar label="Progress of the run" fraction={progress.fraction} />
      <p className="run-progress-line">
        <span className="grow">{progress.paused ? 'Paused after this trial' : progress.activity}</span>
        <span className="muted">
          {trialsDone} of {most}
          {trialsPlanned} trials
        </span>
        <span className="muted">{secondsLeft === null ? '' : `about ${formatWait(secondsLeft)} left`}</span>
      </p>
      {precision && (
        <p className="run-progress-line muted" role="status">
          After {precision.round} repeats: {describePrecision(precision, plan.measure)}
        </p>
      )}
    </div>
  );
};
