import type { EChartsOption } from 'echarts';
import type { Table } from '../../tables/shared/csv.ts';

/** A chart before it is drawn. */
export interface Chart {
  /** Stable; good for file names. */
  readonly id: string;
  readonly title: string;
  /** The note that a reader needs to read it right; null for none. */
  readonly note: string | null;
  readonly heightPx: number;
  readonly option: EChartsOption;
  /** The numbers behind it. Where they are many, each reading makes them anew. */
  readonly data: Table;
}

/** The drawing of a chart, without title, note and numbers. */
export type Drawing = Pick<Chart, 'option' | 'heightPx'>;
