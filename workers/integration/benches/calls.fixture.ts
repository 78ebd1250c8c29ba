import type { TrialResult } from '#protocol/measurement.ts';
import type { BenchRun } from './bench-server.fixture.ts';
import type { ClientRate } from './beside-peer.fixture.ts';

/** A kind of call. */
export interface OwnCalls {
  readonly name: string;
  readonly title: string;
  /** The experiment with this number of trials, each level in a separate trial. */
  run(trials: number, changes?: readonly string[]): BenchRun;
}

/** A kind of call, with a tool in C that makes the same calls. */
export interface CallCase extends OwnCalls {
  readonly peer: {
    readonly name: string;
    /** Debian's package, and its programs. */
    readonly package: string;
    readonly programs: readonly string[];
    run(program: string, trial: TrialResult): Promise<ClientRate>;
  };
}

/** Seconds of a measured phase, ours and the peer's. */
export const seconds = 2;
