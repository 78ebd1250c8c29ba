import type { EChartsOption } from 'echarts';

/** A chart before it is drawn, and the numbers behind it. */
export interface Chart {
  /** Stable; good for file names. */
  readonly id: string;
  readonly title: string;
  /** What a reader has to know to read it right; null for nothing. */
  readonly note: string | null;
  readonly heightPx: number;
  readonly option: EChartsOption;
  readonly data: Table;
}

/** Plain numbers, for CSV. Units stand in the column names. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}
