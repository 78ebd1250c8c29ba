import { Button as AriaButton } from 'react-aria-components/Button';
import type { RunEntry } from '#protocol/ipc.ts';
import { goTo } from '../state/navigation.ts';
import { runProgress, runs } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ActionMenu } from '../ui/menu.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { deleteRun, exportJournal, exportReport, importRun, resumeRun } from './run-actions.ts';
import { canResume, statusText } from './run-status.ts';

const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const bytesFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

const fileSize = (bytes: number): string =>
  bytes < 1e6 ? `${bytesFormat.format(bytes / 1e3)} kB` : `${bytesFormat.format(bytes / 1e6)} MB`;

const Row = ({ run }: { readonly run: RunEntry }) => {
  const progress = useStore(runProgress)[run.id];
  const live = run.status === 'running';
  const done = live ? (progress?.trialsDone ?? run.trialsDone) : run.trialsDone;
  const name = run.name || 'Run without a readable header';
  return (
    <tr>
      <th scope="row">
        <AriaButton className="link" onPress={() => goTo({ page: 'run', runId: run.id })}>
          {name}
        </AriaButton>
        {run.size !== null && <span className="runs-size faint">{run.size}</span>}
      </th>
      <td className="muted">
        <time dateTime={run.startedAt}>{run.startedAt ? dateFormat.format(new Date(run.startedAt)) : ''}</time>
      </td>
      <td>{statusText[run.status]}</td>
      <td className="runs-trials">
        {run.trialsPlanned === null ? `${done} so far` : `${done} of ${run.trialsPlanned}`}
        {live && (
          <ProgressBar
            label={`Progress of ${name}`}
            fraction={progress?.fraction ?? (run.trialsPlanned === null ? null : done / Math.max(run.trialsPlanned, 1))}
          />
        )}
      </td>
      <td className="muted runs-targets" title={run.targets.join(', ')}>
        {run.targets.join(', ')}
      </td>
      <td className="num faint">{fileSize(run.bytes)}</td>
      <td className="runs-actions">
        {canResume(run) && (
          <Button aria-label={`Resume ${name}`} onPress={() => void resumeRun(run.id)}>
            Resume
          </Button>
        )}
        <ActionMenu
          label={`Actions for ${name}`}
          actions={[
            { id: 'open', label: 'Open', run: () => goTo({ page: 'run', runId: run.id }) },
            { id: 'report', label: 'Export report…', run: () => void exportReport(run.id, false) },
            { id: 'journal', label: 'Export journal…', run: () => void exportJournal(run.id) },
            { id: 'delete', label: 'Delete', disabled: live, run: () => void deleteRun(run.id, name) },
          ]}
        />
      </td>
    </tr>
  );
};

export const RunsView = () => {
  const entries = useStore(runs);
  return (
    <>
      <PageHead
        title="Runs"
        subtitle="Every run is one journal file, readable to its last whole line whatever happened, and small enough to mail."
        actions={
          <Button icon="upload" onPress={() => void importRun()}>
            Import journal
          </Button>
        }
      />
      <div className="page-body">
        {entries?.length === 0 ? (
          <div className="panel">
            <EmptyState title="Nothing has run yet">
              <p>Open an experiment and press Run. Its trials, charts and verdicts are kept here.</p>
              <Button kind="primary" onPress={() => goTo({ page: 'experiments' })}>
                Choose an experiment
              </Button>
            </EmptyState>
          </div>
        ) : (
          <div className="panel scroll-x">
            <table className="grid-table runs-table" aria-label="Runs">
              <thead>
                <tr>
                  <th scope="col">Experiment</th>
                  <th scope="col">Started</th>
                  <th scope="col">Status</th>
                  <th scope="col">Trials</th>
                  <th scope="col">Targets</th>
                  <th scope="col" className="num">
                    File
                  </th>
                  <th scope="col">
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {entries?.map((run) => (
                  <Row key={run.id} run={run} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </>
  );
};
