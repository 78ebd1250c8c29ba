import {
  formatBytes,
  formatBytesTick,
  formatMs,
  formatMsTick,
  formatPercent,
  formatPercentTick,
  formatShort,
  formatTick,
} from '#model/format/format.ts';

/** The format of an axis' values, in tooltips and at its ticks. */
export const msAxis = { format: formatMs, tick: formatMsTick } as const;
export const bytesAxis = { format: formatBytes, tick: formatBytesTick } as const;
export const shareAxis = { format: formatPercent, tick: formatPercentTick } as const;
/** An axis of rates or counts. */
export const rateAxis = { format: formatShort, tick: formatTick } as const;
