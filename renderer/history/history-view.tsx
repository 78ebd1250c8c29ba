import { useMemo, useState } from 'react';
import { sizeTitle } from '#experiment/schema/sizes.ts';
import { many } from '#model/format/plural.ts';
import { historyTable } from '#presentation/charts/history-chart.ts';
import { toCsv } from '#presentation/tables/shared/csv.ts';
import { formatRunDay } from '#presentation/text/history-answer.ts';
import { historyHeadline } from '#presentation/text/history-headline.ts';
import type { History } from '#protocol/history.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { HelpButton } from '../help/help-button.tsx';
import { historyTopic } from '../help/help-store.ts';
import { compareRuns } from '../runs/ticked-runs.ts';
import { attempt, request } from '../state/bridge.ts';
import { goTo } from '../state/navigation.ts';
import { runs } from '../state/runs.ts';
import { runAgain } from '../state/start-run.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Select } from '../ui/controls/fields.tsx';
import { AnswerDetails, AnswerFacts, CertaintyLine } from '../ui/display/answer-parts.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import { HistoryCharts } from './history-charts.tsx';
import { formatDay } from './moment-texts.ts';
import { useHistory } from './use-history.ts';

const HistoryAnswerCard = ({ history }: { readonly history: History }) => {
  const { headline, certainty, isCertain, details, facts } = useMemo(() => historyHeadline(history), [history]);
  return (
    <section className="panel answer-card" aria-label="Answer">
      <div className="answer-words">
        <h2>{headline}</h2>
        <CertaintyLine text={certainty} isCertain={isCertain} />
        <AnswerDetails lines={details} />
      </div>
      <AnswerFacts facts={facts.map(([name, value]) => ({ key: name, name, value }))} />
    </section>
  );
};

/** "16 runs since Nov 3 · baseline “release 4.2” · 2 incomplete runs left out". */
function runsText(history: History, own: readonly RunEntry[]): string {
  const { runs: all, olderRuns } = history;
  const leftOut = own.filter(({ status }) => status !== 'complete' && status !== 'running').length;
  const baseline = all.find(({ isBaseline }) => isBaseline);
  return [
    all.length === 0 ? 'No complete run' : `${many(all.length, 'run')} since ${formatRunDay(history, 0)}`,
    ...(baseline === undefined
      ? []
      : [`baseline ${baseline.title === '' ? formatDay(baseline.startedAt) : `“${baseline.title}”`}`]),
    ...(olderRuns > 0 ? [`${many(olderRuns, 'older run')} left out`] : []),
    ...(leftOut > 0 ? [`${many(leftOut, 'incomplete run')} left out`] : []),
  ].join(' · ');
}

const saveAll = (history: History): Promise<unknown> =>
  attempt('Could not save the CSV', async () =>
    request('files:save', {
      name: `${history.name} history`,
      format: 'csv',
      data: toCsv(historyTable(history, history.series)),
    }),
  );

interface HeadProps {
  readonly experiment: string;
  readonly history: History | null;
  /** The runs of the experiment and size, newest first. */
  readonly own: readonly RunEntry[];
  readonly sizes: readonly (string | null)[];
  readonly size: string | null;
  readonly onSize: (size: string | null) => void;
}

const noSize = '';

const Head = ({ experiment, history, own, sizes, size, onSize }: HeadProps) => {
  const [latest] = own;
  const lastDone = history?.runs.at(-1);
  const baseline = history?.runs.find(({ isBaseline }) => isBaseline);
  return (
    <PageHead
      title={`${experiment}: history`}
      mark={<HelpButton about="History" topic={historyTopic} />}
      subtitle={history === null ? 'Reading the runs…' : runsText(history, own)}
      actions={
        <>
          {sizes.length > 1 && (
            <Select
              label="Size"
              hideLabel
              value={size ?? noSize}
              choices={sizes.map((one) => ({ id: one ?? noSize, label: sizeTitle(one ?? undefined) }))}
              onChange={(id) => onSize(id === noSize ? null : id)}
            />
          )}
          {baseline !== undefined && lastDone !== undefined && lastDone.id !== baseline.id && (
            <Button onPress={() => compareRuns(baseline, lastDone)}>Compare with the baseline</Button>
          )}
          {latest !== undefined && (
            <Button kind="primary" icon="play" onPress={() => void runAgain(latest.id)}>
              Run again
            </Button>
          )}
          <Button onPress={() => goTo({ page: 'runs' })}>All runs</Button>
          {history !== null && (
            <ActionMenu
              label="Save the history"
              actions={[{ id: 'csv', label: 'Save all numbers as CSV…', run: () => void saveAll(history) }]}
            />
          )}
        </>
      }
    />
  );
};

/** The page that shows the runs of an experiment over time. */
export const HistoryView = ({ experiment }: { readonly experiment: string }) => {
  const entries = useStore(runs);
  const named = (entries ?? []).filter(({ name }) => name === experiment);
  const sizes = [...new Set(named.map(({ size }) => size))];
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const size = chosen === undefined ? (named[0]?.size ?? null) : chosen;
  const own = useMemo(
    () => (entries ?? []).filter((run) => run.name === experiment && run.size === size),
    [entries, experiment, size],
  );
  const done = own
    .filter(({ status }) => status === 'complete')
    .map(({ id, title, isBaseline }) => [id, title, isBaseline]);
  const { history, error } = useHistory(experiment, size, JSON.stringify(done));
  const head = <Head {...{ experiment, history, own, sizes, size }} onSize={setChosen} />;
  if (error !== null)
    return (
      <>
        {head}
        <div className="page-body stack">
          <Notice tone="error" title="The history cannot be shown">
            {error.message} {error.hint}
          </Notice>
        </div>
      </>
    );
  if (history === null) return head;
  if (history.runs.length === 0)
    return (
      <>
        {head}
        <div className="page-body stack">
          <div className="panel">
            <EmptyState title={`There is no complete run of “${experiment}”`}>
              <p>
                The history begins with the first run that ends. Each further run becomes a point, and from a few runs
                on Dyno finds the run at which something changed.
              </p>
              <Button kind="primary" onPress={() => goTo({ page: 'experiments' })}>
                Choose an experiment
              </Button>
            </EmptyState>
          </div>
        </div>
      </>
    );
  return (
    <>
      {head}
      <div className="page-body stack">
        <HistoryAnswerCard history={history} />
        <HistoryCharts history={history} />
        <ChangesPanel history={history} />
      </div>
    </>
  );
};
