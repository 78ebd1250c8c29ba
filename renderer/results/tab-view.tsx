import { useMemo, useState } from 'react';
import { perCallTitle } from '#analysis/cells/per-call.ts';
import type { PanelLink } from '#analysis/findings/shared/finding.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { noTrialText } from '#analysis/text/no-result-text.ts';
import type { DrawnPanel } from '#presentation/outline/draw-panel.ts';
import { outline } from '#presentation/outline/outline.ts';
import { type PanelInput, type Tab, tabs } from '#presentation/outline/panel.ts';
import type { Cell } from '#protocol/plan.ts';
import { useChartTheme } from '../charts/chart-themes.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { PanelBoundary, PanelFailure } from '../ui/display/panel-boundary.tsx';
import { type BrokenPanel, drawnOrBroken } from './drawn-or-broken.ts';
import { filterOf } from './evidence-link.ts';
import { FilterBar } from './filter-bar.tsx';
import { PanelView } from './panel-view.tsx';
import { CellInspector } from './picture/cell-inspector.tsx';
import { filtered } from './results-filter.ts';
import { useBaseline } from './use-baseline.ts';
import { useCloseUp } from './use-close-up.tsx';

interface Props {
  readonly tab: Tab;
  readonly model: RunModel;
  /** The link that opened the tab. Its variant is shown first. */
  readonly link?: PanelLink | null;
  readonly onFollow: (link: PanelLink) => void;
}

const filteredTabs: ReadonlySet<Tab> = new Set(['summary', 'latency', 'timeSeries', 'plans']);

/** True for panels above the filter, which show the whole run. */
const isAnswer = (panel: DrawnPanel | BrokenPanel): boolean =>
  panel.id === 'advice' ||
  panel.id === 'decision' ||
  ('content' in panel && (panel.content.kind === 'answer' || panel.content.kind === 'errors'));

/** The panels of one tab in the order of the outline. */
export const TabView = ({ tab, model, link = null, onFollow }: Props) => {
  const theme = useChartTheme();
  const [ref, widthPx] = useChartWidth();
  const [baseline] = useBaseline(model);
  const [filter, setFilter] = useState(() => filterOf(link));
  const shown = useMemo(() => filtered(model, filter), [model, filter]);
  const input = useMemo(
    (): PanelInput => ({ model: shown, run: model, baseline, theme, widthPx, views: [], perProcess: false }),
    [shown, model, baseline, theme, widthPx],
  );
  const panels = useMemo(() => outline.filter((panel) => panel.tab === tab), [tab]);
  const plain = useMemo(
    () => panels.filter(({ trials }) => !trials).flatMap((panel) => drawnOrBroken(panel, input) ?? []),
    [panels, input],
  );
  const [inspected, setInspected] = useState<Cell | null>(null);
  const closeUp = useCloseUp(panels, input);
  const draw = (drawn: readonly (DrawnPanel | BrokenPanel)[]) =>
    drawn.map((panel) =>
      'thrown' in panel ? (
        <PanelFailure key={panel.id} title={panel.title} thrown={panel.thrown} />
      ) : (
        <PanelBoundary key={panel.id} title={panel.title}>
          <PanelView panel={panel} input={input} onFollow={onFollow} onInspect={setInspected} />
        </PanelBoundary>
      ),
    );
  return (
    <div className={`view ${tab}-view`} ref={ref}>
      {draw(plain.filter(isAnswer))}
      {filteredTabs.has(tab) && (plain.length > 0 || shown !== model) && (
        <FilterBar model={model} filter={filter} onChange={setFilter} />
      )}
      {draw(plain.filter((panel) => !isAnswer(panel)))}
      {plain.length === 0 && <NothingYet tab={tab} model={shown} />}
      {closeUp.bar}
      {draw(closeUp.drawn)}
      {inspected && (
        <PanelBoundary title="Details">
          <CellInspector model={model} cell={inspected} onClose={() => setInspected(null)} onFollow={onFollow} />
        </PanelBoundary>
      )}
    </div>
  );
};

/** Explains why a tab has no panel. */
const NothingYet = ({ tab, model }: Pick<Props, 'tab' | 'model'>) => {
  const hasResult = model.cells.some(({ ok }) => ok > 0);
  if (!hasResult && model.status !== 'running')
    return <p className="muted">{`No trial has a result: “${tabs.summary}” shows the reasons.`}</p>;
  if (tab === 'findings')
    return (
      <EmptyState title="Nothing to explain yet">
        <p>Once the first trials have results, Dyno looks for their limits and says how certain these are.</p>
      </EmptyState>
    );
  if (tab === 'plans')
    return (
      <EmptyState title="No trial has a query plan">
        <p>
          Dyno asks for plans after a warm-up, but not for trials with a cold start or with calls that are reported one
          by one.
        </p>
      </EmptyState>
    );
  if (tab === 'timeSeries')
    return (
      <EmptyState title="No time series">
        <p>
          No trial was measured for two seconds or more. “{tabs.timeline}” shows each trial as a point over the whole
          run.
        </p>
      </EmptyState>
    );
  return (
    <p className="muted">
      {hasResult
        ? `The calls of these trials are reported one by one. The panel “${perCallTitle}” of ${tabs.summary} shows them.`
        : noTrialText(model)}
    </p>
  );
};
