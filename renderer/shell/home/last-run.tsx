import { runStateText } from '#analysis/text/run-state-text.ts';
import { formatRate } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { GradeMark } from '../../runs/grade-mark.tsx';
import { RunPicture } from '../../runs/run-picture.tsx';
import { canResume } from '../../runs/run-status.ts';
import { goTo } from '../../state/navigation.ts';
import { resumeRun, runAgain } from '../../state/start-run.ts';
import { Button } from '../../ui/controls/button.tsx';
import { formatMoment } from '../../ui/text/format-moment.ts';
import { startTour } from '../tour/tour-store.ts';

/** The most targets that are named. Others are counted. */
const mostNamed = 4;

/** The newest run, with a button that runs it again. */
export const LastRun = ({ run }: { readonly run: RunEntry }) => {
  const live = run.status === 'running';
  const readable = run.status !== 'unreadable';
  const [fastest] = run.cells;
  const state = runStateText(run);
  const hasComparison = run.comparison !== 'none';
  // The reason for the grade may say how far the run came.
  const isReason = run.grade?.reason.startsWith(state) === true;
  const open = () => goTo({ page: 'run', runId: run.id });
  return (
    <>
      <header className="home-head">
        <h1>Home</h1>
        <Button kind="quiet" onPress={startTour}>
          Take the tour
        </Button>
      </header>
      <section className="panel home-last" aria-label="Last run">
        <div className="grow">
          <p className="faint">{live ? 'Running now' : 'Last run'}</p>
          <h2 className="home-last-name">{run.name}</h2>
          {hasComparison && fastest && (
            <p>
              <strong>{formatRate(fastest.value, fastest.unit, fastest.digits)}</strong>{' '}
              {`${fastest.label} on ${fastest.target}`}
            </p>
          )}
          {!hasComparison && <p>{state}</p>}
          {run.grade !== null && (
            <p className="home-grade">
              <GradeMark grade={run.grade} /> {run.grade.level !== 'good' && run.grade.reason}
            </p>
          )}
          <p className="muted">
            {hasComparison && !isReason && `${state} · `}
            <time dateTime={run.startedAt}>{formatMoment(run.startedAt)}</time>
            {run.targets.length > 0 &&
              ` · ${run.targets.length > mostNamed ? many(run.targets.length, 'target') : run.targets.join(', ')}`}
          </p>
        </div>
        {hasComparison && <RunPicture cells={run.cells} />}
        <Button onPress={open}>{live ? 'Show it' : 'Open results'}</Button>
        {canResume(run) ? (
          <Button kind="primary" icon="play" onPress={() => void resumeRun(run.id)}>
            Resume
          </Button>
        ) : (
          !live &&
          readable && (
            <Button kind="primary" icon="play" onPress={() => void runAgain(run.id)}>
              Run again
            </Button>
          )
        )}
      </section>
    </>
  );
};
