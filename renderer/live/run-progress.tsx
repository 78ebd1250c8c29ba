import type { RunProgress } from '#contract/ipc.ts';
import { repeatsOf } from '#contract/repeats.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { describePrecision } from '../../workers/analysis/text/precision-text.ts';
import { formatWait } from '../format-wait.ts';
import { Progress } from '../ui/progress.tsx';

interface Props {
  readonly progress: RunProgress;
  readonly plan: RunModel['plan'];
}

/** How far a live run is and what it is at; where repeats may vary, how narrow its intervals are. */
export const RunProgressLine = ({ progress, plan }: Props) => {
  const { precision, secondsLeft, trialsDone, trialsPlanned } = progress;
  const most = plan.measure.search
    ? 'about '
    : repeatsOf(plan.measure).within === null || trialsPlanned < plan.trials.length
      ? ''
      : 'at most ';
  return (
    <div className="run-progress">
      <Progress label="Progress of the run" fraction={progress.fraction} />
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
