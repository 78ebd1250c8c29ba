import { randomFillSync } from 'node:crypto';
import { closeSync, constants, fdatasyncSync, openSync, read, readSync, write, writeSync } from 'node:fs';
import type { StorageMeasure } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { percentileMs } from '#stats/histogram/percentiles.ts';

/** One measurement: operations, or bytes, per second, and the times of the operations. */
interface StorageFigure {
  readonly measure: StorageMeasure;
  readonly perSecond: number;
  readonly p50Us: number | null;
  readonly p99Us: number | null;
}

export interface StorageFigures {
  /** True if the file system takes no direct reads and writes, so that the page cache answers them. */
  readonly throughCache: boolean;
  readonly figures: readonly StorageFigure[];
}

/** Node has it; the types of browsers, which declare it, are not loaded here. */
declare const WebAssembly: {
  readonly Memory: new (of: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
};

/** The size of a page of most engines. */
const blockBytes = 8 * 1_024;
const pieceBytes = 1_024 * 1_024;
/** The most that the file ever contains: this, and the blocks that are appended. */
const mostBytes = 64 * pieceBytes;
const mostAppended = 2_048;
export const mostFileBytes = mostBytes + mostAppended * blockBytes;

/** Reads and writes at random places that are under way together: as many as Node has threads for them. */
export const atOnce = 4;

/** So many syncs give their rate to a tenth, also where a sync takes 10 ms and the time of the part is over. */
const leastSyncs = 30;

/** The time of each of the two parts with syncs, and of each of the four parts with reads or writes of data. */
export interface PartTimes {
  readonly syncMs: number;
  readonly dataMs: number;
}

/**
 * Measures a file system in a new file, which it does not delete. Parts take longer than asked on a disk with slow
 * syncs. Blocks the thread meanwhile.
 */
export async function measureStorage(file: string, { syncMs, dataMs }: PartTimes): Promise<StorageFigures> {
  // Direct reads and writes need aligned memory, and the memory of WebAssembly begins at a page.
  const memory = Buffer.from(new WebAssembly.Memory({ initial: (atOnce * pieceBytes) / 65_536 }).buffer);
  // File systems and disks may compress, or store equal blocks once.
  randomFillSync(memory);
  const piece = memory.subarray(0, pieceBytes);
  const { handle, throughCache } = openDirect(file, piece);
  const data: StorageFigure[] = [];
  let bytes = 0;
  try {
    const written = timed(dataMs, mostBytes / pieceBytes, (i) =>
      writeSync(handle, piece, 0, pieceBytes, i * pieceBytes),
    );
    written.count(() => fdatasyncSync(handle));
    bytes = written.times.count * pieceBytes;
    data.push(figureOf('sequentialWrite', written, pieceBytes));
    const pieces = timed(dataMs, written.times.count, (i) => readSync(handle, piece, 0, pieceBytes, i * pieceBytes));
    data.push(figureOf('sequentialRead', pieces, pieceBytes));
    const blocks = Array.from({ length: atOnce }, (_, i) => memory.subarray(i * blockBytes, (i + 1) * blockBytes));
    const places = bytes / blockBytes;
    const reads = await together(dataMs, blocks, (block, done) => read(handle, block, 0, blockBytes, at(places), done));
    data.push(figureOf('randomRead', reads));
    const writes = await together(dataMs, blocks, (block, done) =>
      write(handle, block, 0, blockBytes, at(places), done),
    );
    writes.count(() => fdatasyncSync(handle));
    data.push(figureOf('randomWrite', writes));
  } finally {
    closeSync(handle);
  }
  return { throughCache, figures: [...measureSyncs(file, memory.subarray(0, blockBytes), bytes, syncMs), ...data] };
}

/** Servers write their logs through the page cache, into files that exist already or that grow, and sync them. */
function measureSyncs(file: string, block: Buffer, bytes: number, syncMs: number): readonly StorageFigure[] {
  const handle = openSync(file, constants.O_RDWR);
  const syncAt = (position: number) => {
    writeSync(handle, block, 0, blockBytes, position);
    fdatasyncSync(handle);
  };
  try {
    const places = bytes / blockBytes;
    const overwritten = timed(syncMs, Number.POSITIVE_INFINITY, (i) => syncAt((i % places) * blockBytes), leastSyncs);
    const appended = timed(syncMs, mostAppended, (i) => syncAt(bytes + i * blockBytes), leastSyncs);
    return [figureOf('overwriteSync', overwritten), figureOf('appendSync', appended)];
  } finally {
    closeSync(handle);
  }
}

/** Opens a new file for direct reads and writes; through the page cache where system or file system has none. */
function openDirect(file: string, piece: Buffer): { readonly handle: number; readonly throughCache: boolean } {
  const anew = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC;
  const direct: number | undefined = constants.O_DIRECT;
  if (direct !== undefined) {
    try {
      const handle = openSync(file, anew | direct, 0o600);
      try {
        writeSync(handle, piece, 0, pieceBytes, 0);
        return { handle, throughCache: false };
      } catch (thrown) {
        closeSync(handle);
        throw thrown;
      }
    } catch (thrown) {
      if (!(thrown instanceof Error && 'code' in thrown && ['EINVAL', 'ENOTSUP'].includes(String(thrown.code))))
        throw thrown;
    }
  }
  return { handle: openSync(file, anew, 0o600), throughCache: true };
}

const at = (places: number): number => Math.floor(Math.random() * places) * blockBytes;

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Times of operations, and the time that all of them took. */
interface Timed {
  readonly times: Histogram;
  readonly elapsedMs: number;
  /** Adds the time of work at the end, without which the operations were not finished. */
  count(work: () => void): void;
}

function createTimed() {
  const times = new Histogram();
  const beganMs = nowMs();
  let elapsedMs = 0;
  return {
    times,
    get elapsedMs() {
      return elapsedMs;
    },
    add(fromMs: number): void {
      const endMs = nowMs();
      times.record(Math.round((endMs - fromMs) * 1e6));
      elapsedMs = endMs - beganMs;
    },
    count(work: () => void): void {
      const fromMs = nowMs();
      work();
      elapsedMs += nowMs() - fromMs;
    },
  };
}

/** Runs an operation again and again: for a time, at most `most` times, and `least` times if each of them is slow. */
function timed(partMs: number, most: number, operation: (i: number) => void, least = 1): Timed {
  const timing = createTimed();
  for (let i = 0; i < most && (i < least || timing.elapsedMs < partMs); i++) {
    const fromMs = nowMs();
    operation(i);
    timing.add(fromMs);
  }
  return timing;
}

type Done = (error: Error | null) => void;

/** As timed, for operations of several blocks that are under way together. */
function together(
  partMs: number,
  blocks: readonly Buffer[],
  begin: (block: Buffer, done: Done) => void,
): Promise<Timed> {
  const timing = createTimed();
  const { promise, resolve, reject } = Promise.withResolvers<Timed>();
  let left = blocks.length;
  const next = (block: Buffer) => {
    const fromMs = nowMs();
    begin(block, (error) => {
      if (error) {
        reject(error);
        return;
      }
      timing.add(fromMs);
      if (timing.elapsedMs < partMs) next(block);
      else if (--left === 0) resolve(timing);
    });
  };
  for (const block of blocks) next(block);
  return promise;
}

function figureOf(measure: StorageMeasure, { times, elapsedMs }: Timed, each = 1): StorageFigure {
  const us = (p: number) => {
    const ms = percentileMs(times, p);
    return ms === null ? null : ms * 1_000;
  };
  return { measure, perSecond: (times.count * each * 1_000) / elapsedMs, p50Us: us(50), p99Us: us(99) };
}
