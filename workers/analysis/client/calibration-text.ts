import { formatBytes, formatMs, formatRate } from '#model/format/format.ts';
import { tunnelWords } from '#model/tunnel.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';

/** The name of a measurement: "Round trip to far, through an SSH tunnel", "Disk: 1 MiB read in sequence". */
export const calibrationLabel = ({
  label,
  tunnel,
  storage,
}: Pick<CalibrationEntry, 'label' | 'tunnel' | 'storage'>): string =>
  `${storage ? 'Disk: ' : ''}${label}${tunnel ? `, through ${tunnelWords[tunnel]}` : ''}`;

/** The rate: "1.34k syncs/s", "512 MiB/s". */
export const formatCalibrated = ({ perSecond, unit }: Pick<CalibrationEntry, 'perSecond' | 'unit'>): string =>
  unit === 'bytes' ? `${formatBytes(perSecond)}/s` : formatRate(perSecond, `${unit}/s`);

/** A time in µs, in the unit that suits it. */
export const formatUs = (us: number | null): string => formatMs(us === null ? null : us / 1_000);
