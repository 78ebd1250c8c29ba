import { useContext, useMemo, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { sceneText } from '#presentation/charts/kit/scene.ts';
import { choosePicture } from '#presentation/charts/picture/choose-picture.ts';
import { comparisonHint, drawPicture, pictureData, pictureText } from '#presentation/charts/picture/draw-picture.ts';
import type { PictureOptions } from '#presentation/charts/picture/picture-options.ts';
import { pictureTable } from '#presentation/charts/picture/picture-table.ts';
import { type Metric, metricsOf, metricTitle } from '#presentation/charts/picture/picture-values.ts';
import type { Cell } from '#protocol/plan.ts';
import { ChartRemark } from '../../charts/chart-remark.ts';
import { useChartTheme } from '../../charts/chart-themes.ts';
import { Picture } from '../../charts/picture.tsx';
import { exportActions, framedByRun } from '../../charts/save-drawing.ts';
import { HelpButton } from '../../help/help-button.tsx';
import { panelTopic } from '../../help/help-store.ts';
import { SearchField, Select } from '../../ui/controls/fields.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Hint } from '../../ui/controls/tooltip.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { ActionMenu } from '../../ui/overlays/menu.tsx';
import { ResultTable } from '../result-table.tsx';
import { useBaseline } from '../use-baseline.ts';
import { usePictureOptions } from './picture-options.ts';

interface Props {
  readonly id: string;
  /** The whole run, and the part that passes the filter. */
  readonly model: RunModel;
  readonly shown: RunModel;
  readonly widthPx: number;
  /** Opens the trials of a cell. */
  readonly onInspect: (cell: Cell) => void;
}

/** The picture that answers the question of a run, and its controls. A bar, point or cell opens its details. */
export const PicturePanel = ({ id, model, shown, widthPx, onInspect }: Props) => {
  const [options, change] = usePictureOptions(model);
  const [baseline] = useBaseline(model);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const theme = useChartTheme();
  const remark = useContext(ChartRemark);
  const metrics = useMemo(() => metricsOf(model), [model]);
  const input = { run: model, shown, baseline, options, theme, widthPx, highlighted };
  const data = useMemo(() => pictureData({ run: model, shown, baseline, options }), [model, shown, baseline, options]);
  const scene = options.view === 'table' ? null : drawPicture(data, input);
  const hint = useMemo(() => comparisonHint(model, baseline), [model, baseline]);
  // Each plot names its lines.
  const hasTitles = options.view === 'chart' && !['bars', 'heatMap'].includes(choosePicture(shown.plan).kind);
  const titleText = hasTitles ? 'Results' : metricTitle(data.text);
  return (
    <Panel
      label="Comparison"
      anchor={id}
      title={titleText}
      action={
        <span className="row">
          <HelpButton about="Results" topic={panelTopic('Throughput and ratios')} />
          <ActionMenu
            label="Save the comparison"
            actions={exportActions({
              ...{ id, framed: framedByRun(model, { id, title: titleText, note: pictureText(input) }), theme },
              svg: scene && (() => sceneText(scene, theme.background)),
              table: () => pictureTable(model, data, baseline, options),
            })}
          />
        </span>
      }
    >
      <Controls options={options} metrics={metrics} onChange={change} />
      {options.view === 'table' ? (
        <ResultTable model={model} data={data} options={options} onInspect={onInspect} />
      ) : scene === null ? (
        <p className="panel-text muted">No cell with a result matches the filter.</p>
      ) : (
        <Picture scene={scene} onInspect={onInspect} onPoint={setHighlighted} />
      )}
      <div className="picture-note">
        {remark}
        <p className="faint chart-about">
          {pictureText(input)}{' '}
          {hint !== '' && (
            <Hint text={hint}>
              <AriaButton className="hinted">How differences are tested</AriaButton>
            </Hint>
          )}
        </p>
      </div>
    </Panel>
  );
};

const shows = [
  { id: 'value', label: 'Value' },
  { id: 'ratio', label: 'Ratio' },
];
const sorts = [
  { id: 'fastest', label: 'Sort: fastest' },
  { id: 'planned', label: 'Sort: as planned' },
];
const groups = [
  { id: 'none', label: 'No groups' },
  { id: 'variant', label: 'Group by variant' },
  { id: 'target', label: 'Group by target' },
];
const views = [
  { id: 'chart', label: 'Chart' },
  { id: 'heatMap', label: 'Heat map' },
  { id: 'table', label: 'Table' },
];

interface ControlsProps {
  readonly options: PictureOptions;
  readonly metrics: readonly { readonly metric: Metric; readonly label: string }[];
  readonly onChange: (change: Partial<PictureOptions>) => void;
}

const Controls = ({ options, metrics, onChange }: ControlsProps) => (
  <fieldset className="picture-controls" aria-label="Picture">
    <Select
      label="Metric"
      hideLabel
      value={options.metric}
      choices={metrics.map(({ metric, label }) => ({ id: metric, label }))}
      onChange={(metric) => onChange({ metric: metric as Metric })}
    />
    <Segmented
      label="Show"
      choices={shows}
      value={options.show}
      onChange={(show) => onChange({ show: show as PictureOptions['show'] })}
    />
    <Select
      label="Sort"
      hideLabel
      value={options.sort}
      choices={sorts}
      onChange={(sort) => onChange({ sort: sort as PictureOptions['sort'] })}
    />
    <Select
      label="Group"
      hideLabel
      value={options.group}
      choices={groups}
      onChange={(group) => onChange({ group: group as PictureOptions['group'] })}
    />
    <SearchField label="Filter" value={options.filter} onChange={(filter) => onChange({ filter })} />
    <span className="picture-views">
      <Segmented
        label="View"
        choices={views}
        value={options.view}
        onChange={(view) => onChange({ view: view as PictureOptions['view'] })}
      />
    </span>
  </fieldset>
);
