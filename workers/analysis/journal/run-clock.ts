/**
 * Time since a run began, from the wall-clock times of its records; the pause between an interruption and a resume is
 * left out.
 */
export interface RunClock {
  /** ms of run time at a record's `at`. The value never decreases, even if the machine's clock was set back. */
  at(time: string): number;
  /** Marks the resume of the run. */
  resume(time: string): void;
}

export function createRunClock(startedAt: string): RunClock {
  let originMs = Date.parse(startedAt);
  let latestMs = 0;
  return {
    at(time) {
      const elapsedMs = Date.parse(time) - originMs;
      latestMs = Number.isNaN(elapsedMs) ? latestMs : Math.max(latestMs, elapsedMs);
      return latestMs;
    },
    resume(time) {
      const resumedMs = Date.parse(time);
      if (!Number.isNaN(resumedMs)) originMs = resumedMs - latestMs;
    },
  };
}
