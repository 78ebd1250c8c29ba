import { useCallback, useState } from 'react';
import type { PanelLink } from '#analysis/findings/shared/finding.ts';
import { toErrorData } from '#model/error.ts';
import { panelOf } from '#presentation/outline/outline.ts';
import { type Tab, tabs } from '#presentation/outline/panel.ts';
import { useScrollTo } from '../results/evidence-link.ts';
import { RunRemark } from '../results/run-remark.tsx';
import { TabView } from '../results/tab-view.tsx';
import { goTo } from '../state/navigation.ts';
import { runProgress, runs } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { ProgressBar } from '../ui/display/progress-bar.tsx';
import { Tabs } from '../ui/display/tabs.tsx';
import { LiveView } from './live-view.tsx';
import { NotesView } from './notes-view.tsx';
import { type ReadMark, secondsToRead } from './reading-time.ts';
import { RunHead } from './run-head.tsx';
import { RunProgressLine, timeLeft } from './run-progress.tsx';
import { useRun } from './use-run.ts';

const finishedTabs = Object.keys(tabs) as readonly Tab[];
/** The live view is first while the run lasts. */
const liveTabs = finishedTabs.toSorted((a, b) => Number(b === 'timeline') - Number(a === 'timeline'));
/** The tabs that show the variant of a finding first if a link of the finding opens them. */
const linkedTabs: ReadonlySet<Tab> = new Set(['latency', 'timeSeries', 'plans']);

/** True if this window, or another process according to the list of runs, writes the journal. */
function useLive(runId: string): boolean {
  const entry = useStore(runs)?.find((run) => run.id === runId);
  return useStore(runProgress)[runId]?.live ?? entry?.status === 'running';
}

/** Shows the progress while a long journal is read. */
const Waiting = ({ runId, readBytes }: { readonly runId: string; readonly readBytes: number }) => {
  const entry = useStore(runs)?.find((run) => run.id === runId);
  const activity = useStore(runProgress)[runId]?.activity;
  const [first, setFirst] = useState<ReadMark | null>(null);
  const last = { atMs: performance.now(), bytes: readBytes };
  if (first === null && readBytes > 0) setFirst(last);
  const secondsLeft = first && entry ? secondsToRead(first, last, entry.bytes) : null;
  return (
    <>
      <PageHead title={entry?.name || 'Run'} />
      <div className="run-progress">
        <ProgressBar
          label="Reading the run file"
          fraction={entry && readBytes > 0 ? Math.min(1, readBytes / entry.bytes) : null}
        />
        <p className="run-progress-line muted">
          <span className="grow" role="status">
            {activity ?? 'Reading the run file…'}
          </span>
          {activity === undefined && secondsLeft !== null && <span>{timeLeft(secondsLeft)}</span>}
        </p>
      </div>
    </>
  );
};

/** The page of a run, live or finished. */
export const RunView = ({ runId }: { readonly runId: string }) => {
  const feed = useRun(runId);
  const writing = useLive(runId);
  const model = feed?.model(writing) ?? null;
  const progress = useStore(runProgress)[runId] ?? null;
  const [chosen, setChosen] = useState<Tab | 'notes' | null>(null);
  const [watched, setWatched] = useState(false);
  const [link, setLink] = useState<PanelLink | null>(null);
  const follow = useCallback((to: PanelLink) => {
    setLink(to);
    setChosen(panelOf(to.panel).tab);
  }, []);
  useScrollTo(link);
  const choose = (tab: Tab | 'notes') => {
    setLink(null);
    setChosen(tab);
  };
  const failure = feed?.failure();

  if (failure) {
    const error = toErrorData(failure);
    return (
      <div className="page-body stack">
        <Notice tone="error" title="This run cannot be shown">
          {error.message} {error.hint}
        </Notice>
        <div>
          <Button onPress={() => goTo({ page: 'runs' })}>Back to the runs</Button>
        </div>
      </div>
    );
  }
  if (!feed || !model) return <Waiting runId={runId} readBytes={feed?.readBytes() ?? 0} />;
  const live = model.status === 'running';
  // At the end of a watched run, the user wants its results instead of the live view.
  if (watched && !live) {
    setWatched(false);
    if (chosen === 'timeline') setChosen(null);
  } else if (live && !watched) setWatched(true);
  const production = live ? model.plan.targets.filter((one) => one.production) : [];
  return (
    <div className={production.length > 0 ? 'on-production' : 'run-page'}>
      {production.length > 0 && (
        <p className="production-line" role="status">
          {`Running on production: ${production.map(({ name }) => name).join(', ')}`}
        </p>
      )}
      <RunHead runId={runId} model={model} progress={progress} />
      {live && <RunProgressLine progress={progress} plan={model.plan} />}
      <RunRemark model={model} onFollow={follow}>
        <Tabs<Tab | 'notes'>
          label="Views of the run"
          selected={chosen ?? (live ? 'timeline' : 'summary')}
          onSelect={choose}
          items={[
            ...(live ? liveTabs : finishedTabs).map((tab) => ({
              id: tab,
              label: live && tab === 'timeline' ? 'Live' : tabs[tab],
              content:
                tab === 'timeline' ? (
                  <LiveView model={model} log={feed.log()} />
                ) : (
                  <TabView tab={tab} model={model} link={linkedTabs.has(tab) ? link : null} onFollow={follow} />
                ),
            })),
            { id: 'notes', label: 'Notes', content: <NotesView runId={runId} /> },
          ]}
        />
      </RunRemark>
    </div>
  );
};
