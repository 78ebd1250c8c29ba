import type { EChartsOption } from 'echarts';
import type { Table } from '../../tables/shared/csv.ts';
import type { Scene } from './scene.ts';

interface ChartText {
  /** The id never changes, and is a valid file name. */
  readonly id: string;
  readonly title: string;
  /** The note that a reader needs to read the chart correctly. Null if none is needed. */
  readonly note: string | null;
  /** The words of the button that unfolds the chart. Absent: the chart is not folded. */
  readonly fold?: string;
  /** The numbers behind the chart. Long lists of rows are computed at each access. */
  readonly data: Table;
}

/** Panels that ECharts draws. The pointer reads values along the axis, and the legend hides lines. */
export interface Drawing {
  readonly option: EChartsOption;
  readonly heightPx: number;
  /** The number of panels. 0 if there is nothing to draw. */
  readonly panels: number;
  /**
   * Returns the distance between ticks of the x axis if this share of it is shown. Present if the window lets the
   * reader zoom the axis, which all panels share.
   */
  readonly zoomStep?: (share: number) => number;
}

/** A chart before it is drawn: panels of ECharts, or a scene of the kit. */
export type PanelChart = ChartText & Drawing;
export type SceneChart = ChartText & { readonly scene: Scene };
export type Chart = PanelChart | SceneChart;
