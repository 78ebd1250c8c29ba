import type { EChartsOption } from 'echarts';
import type { Table } from '../../tables/shared/csv.ts';
import type { Scene } from './scene.ts';

interface ChartText {
  /** Stable; good for file names. */
  readonly id: string;
  readonly title: string;
  /** The note that a reader needs to read it right; null for none. */
  readonly note: string | null;
  /** The numbers behind it. Where they are many, each reading makes them anew. */
  readonly data: Table;
}

/** Panels that ECharts draws: a pointer moves along their axis, and names hide their lines. */
export interface Drawing {
  readonly option: EChartsOption;
  readonly heightPx: number;
}

/** A chart before it is drawn: panels of ECharts, or a scene. */
export type PanelChart = ChartText & Drawing;
export type SceneChart = ChartText & { readonly scene: Scene };
export type Chart = PanelChart | SceneChart;
