import type { ColumnVector } from '#model/batch/batch.ts';
import { writeIsoTime } from '#model/batch/iso-time.ts';
import { isoTimeLength } from '#model/dataset/stored-type.ts';
import { allocate } from './memory.ts';

/** Writes times (µs since 1970, years 0 to 9999) as text that sorts as they do: "2024-02-29T12:34:56.000789Z". */
export function isoVector(us: Float64Array, nulls: Uint8Array | null): ColumnVector {
  const width = isoTimeLength;
  const bytes = allocate(us.length * width);
  writeIsoTimes(us, bytes, 0, width);
  return { kind: 'fixed', bytes, offset: 0, stride: width, width, nulls };
}

/** Writes times as text into a buffer, `stride` bytes apart. */
export function writeIsoTimes(us: Float64Array, to: Uint8Array, offset: number, stride: number): void {
  for (let r = 0; r < us.length; r++) writeIsoTime(us[r]!, to, offset + r * stride);
}
