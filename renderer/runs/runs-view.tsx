import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { mostCompared } from '#analysis/between-runs/compare-with-reference.ts';
import { isShort, runStateText } from '#analysis/text/run-state-text.ts';
import { endReasons } from '#analysis/text/verdict-text.ts';
import { formatMs, formatRate } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { HelpButton } from '../help/help-button.tsx';
import { runsTopic } from '../help/help-store.ts';
import { goTo } from '../state/navigation.ts';
import { runProgress, runs } from '../state/runs.ts';
import { resumeRun } from '../state/start-run.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Checkbox, SearchField, Select } from '../ui/controls/fields.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { GridTable } from '../ui/display/grid-table.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { ProgressBar } from '../ui/display/progress-bar.tsx';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { formatMoment } from '../ui/text/format-moment.ts';
import { annotationActions } from './annotation-actions.ts';
import { GradeMark } from './grade-mark.tsx';
import { deleteRun, exportJournal, exportReport, importRun, printReport } from './run-actions.ts';
import { groupRuns, type RunGroup, type RunOrder, rates, runOrders } from './run-groups.ts';
import { RunPicture } from './run-picture.tsx';
import { canResume } from './run-status.ts';
import { BaselineMark, RunTags, runsFilter } from './run-tags.tsx';
import { compareRuns, tickedRuns, tickRun } from './ticked-runs.ts';

/** "Complete, 27 trials"; how far the run came, if trials are missing. */
const stateText = (run: RunEntry): string =>
  run.status === 'complete' && !isShort(run)
    ? [`Complete, ${many(run.trialsGood, 'trial')}`, ...(run.endedBy ? [endReasons[run.endedBy]] : [])].join(': ')
    : runStateText(run);

interface RowProps {
  readonly run: RunEntry;
  readonly isTicked: boolean;
  readonly onTick: (ticked: boolean) => void;
}

const Row = ({ run, isTicked, onTick }: RowProps) => {
  const progress = useStore(runProgress)[run.id];
  const live = run.status === 'running';
  const done = live ? (progress?.trialsDone ?? run.trialsDone) : run.trialsDone;
  const name = run.name || 'Run without a readable header';
  const started = run.startedAt ? formatMoment(run.startedAt) : 'unknown';
  const [fastest] = run.cells;
  return (
    <tr>
      <td>
        <Checkbox
          label=""
          name={`Choose ${name}, ${started}`}
          checked={isTicked}
          disabled={run.status === 'unreadable'}
          onChange={onTick}
        />
      </td>
      <th scope="row">
        <AriaButton className="link runs-open" onPress={() => goTo({ page: 'run', runId: run.id })}>
          {run.title === '' ? <time dateTime={run.startedAt}>{started}</time> : run.title}
        </AriaButton>
        {(run.title !== '' || run.size !== null) && (
          <span className="runs-more faint">
            {[...(run.title === '' ? [] : [started]), ...(run.size === null ? [] : [run.size])].join(' · ')}
          </span>
        )}
        {(run.isBaseline || run.tags.length > 0) && (
          <span className="run-tags">
            <BaselineMark run={run} />
            <RunTags run={run} />
          </span>
        )}
        {run.note !== '' && (
          <span className="runs-more muted" title={run.note}>
            {run.note}
          </span>
        )}
      </th>
      <td>{run.grade !== null && <GradeMark grade={run.grade} />}</td>
      <td className="runs-trials">
        {stateText(live ? { ...run, trialsDone: done, trialsGood: done - run.trialsDone + run.trialsGood } : run)}
        {live && (
          <ProgressBar
            label={`Progress of ${name}`}
            fraction={progress?.fraction ?? (run.trialsPlanned === null ? null : done / Math.max(run.trialsPlanned, 1))}
          />
        )}
      </td>
      <td className="num muted">{run.durationMs > 0 ? formatMs(run.durationMs) : ''}</td>
      <td>{run.comparison !== 'none' && <RunPicture cells={run.cells} />}</td>
      <td className="runs-fastest" title={fastest ? `${fastest.label} on ${fastest.target}` : undefined}>
        {fastest && run.comparison !== 'none' ? (
          <>
            <strong>{formatRate(fastest.value, fastest.unit, fastest.digits)}</strong>{' '}
            <span className="muted">{`${fastest.label} on ${fastest.target}`}</span>
          </>
        ) : (
          <span className="faint">{run.targets.join(', ')}</span>
        )}
      </td>
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
            ...annotationActions(run),
            { id: 'report', label: 'Export report…', run: () => void exportReport(run.id) },
            { id: 'print', label: 'Print report…', run: () => void printReport(run.id) },
            { id: 'journal', label: 'Export run file…', run: () => void exportJournal(run.id) },
            { id: 'delete', label: 'Delete', disabled: live, run: () => void deleteRun(run.id, name) },
          ]}
        />
      </td>
    </tr>
  );
};

/** The columns are self-explanatory, so only screen readers get their titles. */
const columns = ['Choose', 'Started', 'Data', 'State', 'Duration', 'Picture', 'Fastest', 'Actions'].map(
  (title) => ({ title, kind: 'hidden' }) as const,
);

interface GroupProps {
  readonly group: RunGroup;
  readonly ticked: readonly string[];
  readonly onTick: (id: string, ticked: boolean) => void;
}

/** The runs of one experiment. Its name opens the first run. */
const Group = ({ group: { name, runs: own }, ticked, onTick }: GroupProps) => {
  const title = name || 'Runs without a readable header';
  const series = rates(own);
  return (
    <section className="panel runs-group" aria-label={title}>
      <header className="runs-head">
        <h2>
          <AriaButton className="link" onPress={() => own[0] && goTo({ page: 'run', runId: own[0].id })}>
            {title}
          </AriaButton>
        </h2>
        <span className="faint">{many(own.length, 'run')}</span>
        {name !== '' && (
          <AriaButton
            className="link runs-history"
            aria-label={`History of ${name}`}
            onPress={() => goTo({ page: 'history', experiment: name })}
          >
            History
          </AriaButton>
        )}
        {series.length > 1 && (
          <span className="runs-series" title="The highest rate of each complete run, the oldest at the left">
            <Sparkline values={series.map(({ value }) => value)} index={series.at(-1)!.index} />
          </span>
        )}
      </header>
      <GridTable className="runs-table" label={`Runs of ${title}`} columns={columns}>
        {own.map((run) => (
          <Row key={run.id} run={run} isTicked={ticked.includes(run.id)} onTick={(next) => onTick(run.id, next)} />
        ))}
      </GridTable>
    </section>
  );
};

export const RunsView = () => {
  const entries = useStore(runs);
  const ticked = useStore(tickedRuns);
  const filter = useStore(runsFilter);
  const [order, setOrder] = useState<RunOrder>('newest');
  const chosen = (entries ?? []).filter(({ id }) => ticked.includes(id));
  const groups = groupRuns(entries ?? [], filter, order);
  return (
    <>
      <PageHead
        title="Runs"
        mark={<HelpButton about="Runs" topic={runsTopic} />}
        subtitle={`Each run is one file, which stays readable up to its last complete line. Select up to ${mostCompared} runs to compare them.`}
        actions={
          <>
            <SearchField label="Filter runs" value={filter} onChange={(next) => runsFilter.set(next)} />
            <Select
              label="Order"
              hideLabel
              value={order}
              choices={runOrders}
              onChange={(id) => setOrder(id as RunOrder)}
            />
            <Button isDisabled={chosen.length < 2} onPress={() => compareRuns(...chosen)}>
              Compare
            </Button>
            <Button icon="upload" onPress={() => void importRun()}>
              Import run file
            </Button>
          </>
        }
      />
      <div className="page-body stack">
        {entries?.length === 0 && (
          <div className="panel">
            <EmptyState title="Nothing has run yet">
              <p>Open an experiment and press Run. Its trials, charts and verdicts appear here.</p>
              <Button kind="primary" onPress={() => goTo({ page: 'experiments' })}>
                Choose an experiment
              </Button>
            </EmptyState>
          </div>
        )}
        {entries && entries.length > 0 && groups.length === 0 && (
          <EmptyState title="No run matches">
            <p>
              The filter searches experiments, titles, tags, notes, sizes, states, grades, targets and the fastest
              variants.
            </p>
          </EmptyState>
        )}
        {groups.map((group) => (
          <Group key={group.name} group={group} ticked={ticked} onTick={tickRun} />
        ))}
      </div>
    </>
  );
};
