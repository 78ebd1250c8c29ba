/** The bytes of a file that were read by a moment, which is in ms. */
export interface ReadMark {
  readonly atMs: number;
  readonly bytes: number;
}

/** Seconds until `bytes` are read, as fast as since the first mark; null in its first second: too little to tell. */
export function secondsToRead(first: ReadMark, last: ReadMark, bytes: number): number | null {
  const seconds = (last.atMs - first.atMs) / 1_000;
  const read = last.bytes - first.bytes;
  return seconds < 1 || read <= 0 ? null : ((bytes - last.bytes) * seconds) / read;
}
