import type { RunProgress } from '#contract/ipc.ts';
import { formatWait } from '../format-wait.ts';
import { Progress } from '../ui/progress.tsx';

/** How far a live run is and what it is at. */
export const RunProgressLine = ({ progress }: { readonly progress: RunProgress }) => (
  <div className="run-progress">
    <Progress label="Progress of the run" fraction={progress.fraction} />
    <p className="run-progress-line">
      <span className="grow">{progress.paused ? 'Paused after this trial' : progress.activity}</span>
      <span className="muted">
        {progress.trialsDone} of {progress.trialsPlanned} trials
      </span>
      <span className="muted">
        {progress.secondsLeft === null ? '' : `about ${formatWait(progress.secondsLeft)} left`}
      </span>
    </p>
  </div>
);
