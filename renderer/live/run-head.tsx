import type { RunModel } from '#analysis/run-model/run-model.ts';
import { experimentName } from '#presentation/text/experiment-name.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import { openDraft } from '../builder/open-draft.ts';
import {
  cancelRun,
  deleteRun,
  exportJournal,
  exportReport,
  pauseRun,
  resumeRun,
  runAgain,
} from '../runs/run-actions.ts';
import { canResume, statusText } from '../runs/run-status.ts';
import { compareWith } from '../runs/ticked-runs.ts';
import { Button } from '../ui/controls/button.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { ActionMenu } from '../ui/overlays/menu.tsx';

interface Props {
  readonly runId: string;
  readonly model: RunModel;
  readonly progress: RunProgress | null;
}

/** Cancelling needs no confirmation: finished trials stay, and Resume continues after them. */
const LiveActions = ({ runId, progress }: { readonly runId: string; readonly progress: RunProgress | null }) => {
  const paused = progress?.paused ?? false;
  return (
    <>
      <Button icon={paused ? 'play' : 'pause'} onPress={() => void pauseRun(runId, !paused)}>
        {paused ? 'Continue' : 'Pause'}
      </Button>
      <Button icon="stop" onPress={() => void cancelRun(runId)}>
        Cancel run
      </Button>
    </>
  );
};

export const RunHead = ({ runId, model, progress }: Props) => {
  const { status } = model;
  const { experiment } = model.plan;
  const trialsDone = model.trials.filter((view) => view.result !== null).length;
  const live = status === 'running';
  const searches = model.searches.some(({ end }) => end === null);
  const resumable = canResume({ status, trialsDone, trialsPlanned: searches ? null : model.trials.length });
  return (
    <PageHead
      title={experimentName(model.plan)}
      mark={
        <>
          <span className="badge">{statusText[status]}</span>
          <time className="faint" dateTime={model.startedAt}>
            {new Date(model.startedAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
          </time>
        </>
      }
      subtitle={experiment.question}
      actions={
        <>
          {live && <LiveActions runId={runId} progress={progress} />}
          {resumable && (
            <Button kind="primary" icon="play" onPress={() => void resumeRun(runId)}>
              Resume
            </Button>
          )}
          {!live && !resumable && (
            <Button kind="primary" icon="play" onPress={() => void runAgain(runId)}>
              Run again
            </Button>
          )}
          {!live && <Button onPress={() => compareWith(runId)}>Compare</Button>}
          <Button icon="download" onPress={() => void exportReport(runId, false)}>
            Export report
          </Button>
          <ActionMenu
            label="More actions"
            actions={[
              { id: 'anonymous', label: 'Export report without names…', run: () => void exportReport(runId, true) },
              { id: 'journal', label: 'Export run file…', run: () => void exportJournal(runId) },
              {
                id: 'edit',
                label: 'Open this experiment in the builder',
                run: () => openDraft({ id: null, origin: 'mine', text: model.yaml }),
              },
              {
                id: 'delete',
                label: 'Delete run',
                disabled: live,
                run: () => void deleteRun(runId, experiment.name),
              },
            ]}
          />
        </>
      }
    />
  );
};
