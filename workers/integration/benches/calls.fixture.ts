import type { TrialResult } from '#protocol/measurement.ts';
import type { BenchRun } from './bench-server.fixture.ts';
import type { ClientRate } from './beside-peer.fixture.ts';

/** A kind of calls of which a trial's cost is known, with a tool in C that makes the same calls. */
export interface CallCase {
  readonly name: string;
  readonly title: string;
  /** The experiment with so many trials, each of these levels in a trial of its own. */
  run(trials: number, changes?: readonly string[]): BenchRun;
  readonly peer: {
    readonly name: string;
    /** Debian's package; the programs that it brings. */
    readonly package: string;
    readonly programs: readonly string[];
    run(program: string, trial: TrialResult): Promise<ClientRate>;
  };
}

/** Seconds of a measured phase, ours and the peer's. */
export const seconds = 2;
