/** The rows of each call of a worker, independent of time and place. Calls are numbered from 0. */
export interface Numbering {
  /** Number of calls; Infinity if the clock ends the phase. */
  readonly calls: number;
  first(call: number): number;
  rows(call: number): number;
}

/** A worker's part [start, end) of `total`; the parts of all workers are disjoint and complete. */
export function share(total: number, worker: number, workers: number) {
  return { start: Math.floor((total * worker) / workers), end: Math.floor((total * (worker + 1)) / workers) };
}

/** Numbers rows start … end − 1 in calls of rowsPerCall, the last one smaller. */
export function numberRange(start: number, end: number, rowsPerCall: number): Numbering {
  const calls = Math.ceil((end - start) / rowsPerCall);
  return {
    calls,
    first: (call) => start + call * rowsPerCall,
    rows: (call) => Math.min(rowsPerCall, end - start - call * rowsPerCall),
  };
}

/**
 * Numbers rows from `start` on without end (or to `end`), dealt to the workers in blocks of `callsPerBlock` calls: the
 * rows that all workers together have inserted at any moment are nearly a contiguous range.
 */
export function numberDealt(
  start: number,
  end: number,
  rowsPerCall: number,
  callsPerBlock: number,
  worker: number,
  workers: number,
): Numbering {
  const first = (call: number): number => {
    const block = Math.floor(call / callsPerBlock) * workers + worker;
    return start + (block * callsPerBlock + (call % callsPerBlock)) * rowsPerCall;
  };
  if (end === Number.POSITIVE_INFINITY) return { calls: end, first, rows: () => rowsPerCall };
  const rows = (call: number): number => Math.max(0, Math.min(rowsPerCall, end - first(call)));
  const callsInAll = Math.ceil((end - start) / rowsPerCall);
  const round = callsPerBlock * workers;
  const rest = (callsInAll % round) - worker * callsPerBlock;
  const calls = Math.floor(callsInAll / round) * callsPerBlock + Math.max(0, Math.min(callsPerBlock, rest));
  return { calls, first, rows };
}
