import { calibrationLabel, formatCalibrated, formatUs } from '#analysis/client/calibration-text.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';
import { formatStart } from '../../text/run-start.ts';
import { sentences } from '../../text/sentences.ts';
import { heads, type NotedTable, numbers } from '../shared/panel-table.ts';

const note =
  'The rate that the client alone reaches with one process on this machine, and the rate of the cheapest statement of each server over one connection. All were measured before the run.';

/** The meaning of the figures of the disk, as sentences; empty: it was not measured. */
export function diskText(entries: readonly CalibrationEntry[]): string {
  const [disk] = entries.flatMap(({ storage, measuredAt }) => (storage ? [{ ...storage, measuredAt }] : []));
  if (!disk) return '';
  const { targets, fileSystem, throughCache, measuredAt } = disk;
  return sentences(
    `The disk is the file system${fileSystem === null ? '' : ` (${fileSystem})`} with the files of ${targets.join(', ')}, which one process measured on ${formatStart(measuredAt)}.`,
    'A session that waits for its log at each commit commits at most as often as 8 KiB are overwritten and synced; several sessions can share a sync.',
    throughCache
      ? 'The file system takes no direct reads and writes, so the page cache of the operating system answered the reads and took the writes before a sync.'
      : 'Reads and writes of data bypassed the page cache of the operating system.',
  );
}

/** The speed of the harness, of the disk and of the cheapest round trips, measured before the run. */
export const calibrationTable = ({ calibration }: Pick<RunModel, 'calibration'>): NotedTable => ({
  note: sentences(note, diskText(calibration)),
  columns: [...heads('Measured alone'), ...numbers('Rate', 'p50', 'p99')],
  rows: calibration.map((entry) => ({
    cells: [calibrationLabel(entry), formatCalibrated(entry), formatUs(entry.p50Us), formatUs(entry.p99Us)],
  })),
});
