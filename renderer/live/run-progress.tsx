import type { RunModel } from '#analysis/run-model/run-model.ts';
import { many } from '#model/format/plural.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { precisionText } from '#presentation/text/precision-text.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import { HelpButton } from '../help/help-button.tsx';
import { liveTopic } from '../help/help-store.ts';
import { ProgressBar } from '../ui/display/progress-bar.tsx';
import { formatWait } from '../ui/text/format-wait.ts';

interface Props {
  /** The progress. Null before the first message about the run. */
  readonly progress: RunProgress | null;
  readonly plan: RunModel['plan'];
}

/** "about 16 s left". */
export const timeLeft = (seconds: number): string =>
  seconds < 1 ? 'a moment left' : `about ${formatWait(seconds)} left`;

/** The progress and activity of a live run, and its precision if the number of repeats varies. Its height is fixed. */
export const RunProgressLine = ({ progress, plan }: Props) => {
  const { precision = null, secondsLeft = null, trialsDone = 0, trialsPlanned = plan.trials.length } = progress ?? {};
  const varies = repeatsOf(plan.measure).relativeMargin !== null;
  const most = plan.measure.search ? 'about ' : varies && trialsPlanned >= plan.trials.length ? 'at most ' : '';
  return (
    <div className="run-progress">
      <ProgressBar label="Progress of the run" fraction={progress?.fraction ?? null} />
      <p className="run-progress-line">
        <span className="grow">
          {progress?.paused ? 'Paused after this trial' : (progress?.activity ?? 'Starting')}
        </span>
        <span className="muted">{`${trialsDone} of ${most}${trialsPlanned} trials`}</span>
        <span className="muted">{secondsLeft === null ? '' : timeLeft(secondsLeft)}</span>
        <HelpButton about="Progress of the run" topic={liveTopic} />
      </p>
      {varies && (
        <p className="run-progress-line muted" role="status">
          {precision
            ? `After ${many(precision.round, 'repeat')}: ${precisionText(precision, plan.measure)}`
            : 'The first repeats determine how many more are needed.'}
        </p>
      )}
    </div>
  );
};
