import { rowsDone } from './rows-done.ts';
import type { TrialView } from './run-model.ts';

/** The amount of a trial's rows at its moments. */
interface BytesDone {
  /** The bytes of the values of the rows by the end of each second of the series. */
  readonly bytes: readonly number[];
  /** The same at any moment of the measured phase, ms since its start; between seconds on a straight line. */
  readonly at: (ms: number) => number;
}

/** The bytes of values that a trial has stored by the end of each second; null: it does not know the bytes of a row. */
export function bytesDone(view: TrialView): BytesDone | null {
  const { valueBytes } = view.result ?? {};
  if (valueBytes === undefined || valueBytes.rows === 0) return null;
  const ofRow = valueBytes.bytes / valueBytes.rows;
  const bytes = rowsDone(view).map((rows) => rows * ofRow);
  const { atMs } = view.series;
  return {
    bytes,
    at(ms) {
      const next = atMs.findIndex((end) => end >= ms);
      if (next === -1) return bytes.at(-1) ?? 0;
      const [fromMs, from] = [atMs[next - 1] ?? 0, bytes[next - 1] ?? 0];
      return from + ((bytes[next]! - from) * Math.max(0, ms - fromMs)) / Math.max(1, atMs[next]! - fromMs);
    },
  };
}
