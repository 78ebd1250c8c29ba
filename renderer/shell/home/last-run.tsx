import { formatRate } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { resumeRun, runAgain } from '../../runs/run-actions.ts';
import { RunPicture } from '../../runs/run-picture.tsx';
import { canResume, statusText } from '../../runs/run-status.ts';
import { goTo } from '../../state/navigation.ts';
import { Button } from '../../ui/controls/button.tsx';
import { formatMoment } from '../../ui/text/format-moment.ts';
import { texts } from '../text.ts';
import { startTour } from '../tour/tour-store.ts';

/** More targets are counted. */
const mostNamed = 4;

/** The newest run, and one press that runs it again. */
export const LastRun = ({ run }: { readonly run: RunEntry }) => {
  const live = run.status === 'running';
  const readable = run.status !== 'unreadable';
  const [fastest] = run.cells;
  const open = () => goTo({ page: 'run', runId: run.id });
  return (
    <>
      <header className="home-head">
        <h1>{texts.lastRun.home}</h1>
        <Button kind="quiet" onPress={startTour}>
          {texts.lastRun.takeTheTour}
        </Button>
      </header>
      <section className="panel home-last" aria-label={texts.lastRun.lastRun}>
        <div className="grow">
          <p className="faint">{live ? texts.lastRun.runningNow : texts.lastRun.lastRun}</p>
          <h2 className="home-last-name">{run.name}</h2>
          {fastest && (
            <p>
              <strong>{formatRate(fastest.value, fastest.unit, fastest.digits)}</strong>{' '}
              {texts.lastRun.on(fastest.label, fastest.target)}
            </p>
          )}
          <p className="muted">
            {statusText[run.status]} · <time dateTime={run.startedAt}>{formatMoment(run.startedAt)}</time>
            {run.targets.length > 0 &&
              ` · ${run.targets.length > mostNamed ? many(run.targets.length, texts.lastRun.target) : run.targets.join(', ')}`}
          </p>
        </div>
        <RunPicture cells={run.cells} />
        <Button onPress={open}>{live ? texts.lastRun.showIt : texts.lastRun.openResults}</Button>
        {canResume(run) ? (
          <Button kind="primary" icon="play" onPress={() => void resumeRun(run.id)}>
            {texts.lastRun.resume}
          </Button>
        ) : (
          !live &&
          readable && (
            <Button kind="primary" icon="play" onPress={() => void runAgain(run.id)}>
              {texts.lastRun.runAgain}
            </Button>
          )
        )}
      </section>
    </>
  );
};
