import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatRate } from '#model/format/format.ts';
import { tunnelWords } from '#model/tunnel.ts';
import { heads, numbers, type PanelTable } from '../shared/panel-table.ts';

export const calibrationNote =
  'The rate that the client alone reaches with one process on this machine, and the rate of the cheapest statement of each server over one connection. Both were measured before the run.';

const usAsMs = (us: number | null): string => formatMs(us === null ? null : us / 1_000);

/** The speed of the harness and of the cheapest round trips, measured before the run. */
export const calibrationTable = ({ calibration }: Pick<RunModel, 'calibration'>): PanelTable => ({
  columns: [...heads('Measured alone'), ...numbers('Rate', 'p50', 'p99')],
  rows: calibration.map(({ label, perSecond, unit, p50Us, p99Us, tunnel }) => ({
    cells: [
      tunnel ? `${label}, through ${tunnelWords[tunnel]}` : label,
      formatRate(perSecond, `${unit}/s`),
      usAsMs(p50Us),
      usAsMs(p99Us),
    ],
  })),
});
