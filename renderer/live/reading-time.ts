/** The number of bytes that were read at a moment (in ms). */
export interface ReadMark {
  readonly atMs: number;
  readonly bytes: number;
}

/**
 * The seconds until `bytes` are read, at the mean speed since the first mark. Null in the first second, because the
 * speed is not known yet.
 */
export function secondsToRead(first: ReadMark, last: ReadMark, bytes: number): number | null {
  const seconds = (last.atMs - first.atMs) / 1_000;
  const read = last.bytes - first.bytes;
  return seconds < 1 || read <= 0 ? null : ((bytes - last.bytes) * seconds) / read;
}
