import { advisableTargets } from '#analysis/advise/advisable-targets.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { runStatusLabels } from '#analysis/text/run-state-text.ts';
import { endReasons } from '#analysis/text/verdict-text.ts';
import { formatMs } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { isAllDone } from '#planning/stopping/what-is-left.ts';
import { experimentName } from '#presentation/text/experiment-name.ts';
import type { RunEntry, RunProgress } from '#protocol/ipc.ts';
import { openDraft } from '../builder/open-draft.ts';
import { annotationActions } from '../runs/annotation-actions.ts';
import { cancelRun, deleteRun, endAll, exportJournal, exportReport, pauseRun } from '../runs/run-actions.ts';
import { hasEndedEarly } from '../runs/run-status.ts';
import { BaselineMark, RunTags } from '../runs/run-tags.tsx';
import { compareRuns } from '../runs/ticked-runs.ts';
import { openAdvise } from '../state/advice.ts';
import { goTo } from '../state/navigation.ts';
import { runs } from '../state/runs.ts';
import { resumeRun, runAgain } from '../state/start-run.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Hint } from '../ui/controls/tooltip.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { formatMoment } from '../ui/text/format-moment.ts';

interface Props {
  readonly runId: string;
  readonly model: RunModel;
  readonly progress: RunProgress | null;
}

/**
 * Cancelling needs no confirmation, because finished trials stay, and Resume continues after them. “End all runs now”
 * does not wait for any server.
 */
const LiveActions = ({ runId, progress }: { readonly runId: string; readonly progress: RunProgress | null }) => {
  const paused = progress?.paused ?? false;
  return (
    <>
      <Button icon={paused ? 'play' : 'pause'} onPress={() => void pauseRun(runId, !paused)}>
        {paused ? 'Continue' : 'Pause'}
      </Button>
      <Hint text="Stops the statements at the servers, drops the tables that Dyno made, and keeps the finished trials. You can resume the run later.">
        <Button icon="stop" onPress={() => void cancelRun(runId)}>
          Cancel run
        </Button>
      </Hint>
      <Hint text="Ends all runs on all servers within two seconds, even if a server no longer answers. Tables that remain are dropped by the next run.">
        <Button kind="danger" onPress={() => void endAll()}>
          End all runs now
        </Button>
      </Hint>
    </>
  );
};

/** The most runs in the menu. The list of runs has all of them. */
const mostRuns = 12;

/** Compares a run with another run of its experiment. The older run is “before”. */
const CompareMenu = ({ runId, model }: { readonly runId: string; readonly model: RunModel }) => {
  const entries = useStore(runs) ?? [];
  const own = entries.find(({ id }) => id === runId);
  const others = entries.filter(
    ({ id, name, status }) => id !== runId && name === model.plan.experiment.name && status !== 'running',
  );
  return (
    <ActionMenu
      label="Compare with another run"
      icon="runs"
      text="Compare"
      actions={
        others.length === 0
          ? [{ id: 'none', label: 'No other run of this experiment', disabled: true, run: () => undefined }]
          : others.slice(0, mostRuns).map(({ id, startedAt, size, title, isBaseline }) => ({
              id,
              label: `${title === '' ? '' : `${title}, `}${formatMoment(startedAt)}${size === null ? '' : `, ${size}`}${isBaseline ? ' (baseline)' : ''}`,
              run: () =>
                compareRuns(
                  { id: runId, startedAt: model.startedAt, isBaseline: own?.isBaseline === true },
                  { id, startedAt, isBaseline },
                ),
            }))
      }
    />
  );
};

/**
 * The duration of a run and the repeats of each cell, and the reason why an advice or a gate ended it: "2 min 14 s ·
 * 3 repeats · the answer is certain". Empty during the run.
 */
function extentOf(entry: RunEntry | undefined, { trials, status, enough }: RunModel): string {
  if (status === 'running') return '';
  const took = entry?.durationMs ?? 0;
  const repeats = Math.max(0, ...trials.map(({ trial, result }) => (result?.status === 'ok' ? trial.repeat : 0)));
  return [
    ...(took <= 0 ? [] : [formatMs(took)]),
    ...(repeats === 0 ? [] : [many(repeats, 'repeat')]),
    ...(enough && !('precision' in enough) ? [endReasons[enough.reason]] : []),
  ].join(' · ');
}

export const RunHead = ({ runId, model, progress }: Props) => {
  const { status } = model;
  const { experiment } = model.plan;
  const entry = useStore(runs)?.find(({ id }) => id === runId);
  const extent = extentOf(entry, model);
  const live = status === 'running';
  const results = model.trials.flatMap(({ result }) => result ?? []);
  const resumable = hasEndedEarly({ status }) && !isAllDone({ ...model, results });
  return (
    <PageHead
      title={experimentName(model.plan)}
      mark={
        <>
          <span className="badge">{runStatusLabels[status]}</span>
          <time className="faint" dateTime={model.startedAt}>
            {formatMoment(model.startedAt)}
          </time>
          <span className="faint">{extent}</span>
          {entry && <BaselineMark run={entry} />}
          {entry && <RunTags run={entry} />}
        </>
      }
      subtitle={entry?.title ? `${entry.title} · ${experiment.question}` : experiment.question}
      actions={
        <>
          {live && <LiveActions runId={runId} progress={progress} />}
          {!live && <CompareMenu runId={runId} model={model} />}
          {!live && (
            <Hint text="All runs of this experiment over time">
              <Button onPress={() => goTo({ page: 'history', experiment: experiment.name })}>History</Button>
            </Hint>
          )}
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
          {!live && advisableTargets(model.plan).length > 0 && (
            <Hint text="Finds indexes, texts and settings that make the statements faster, and measures them">
              <Button onPress={() => openAdvise(model.yaml)}>Advise…</Button>
            </Hint>
          )}
          <Button icon="download" onPress={() => void exportReport(runId)}>
            Export report
          </Button>
          <ActionMenu
            label="More actions"
            actions={[
              { id: 'journal', label: 'Export run file…', run: () => void exportJournal(runId) },
              ...(entry ? annotationActions(entry) : []),
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
