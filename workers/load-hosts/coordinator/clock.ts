import type { ComparedClock } from '../load-host.ts';

/**
 * A comparison of an agent's clock with this machine's, from the answer to one ping. Times are in ns of process.hrtime.
 */
interface ClockSample {
  readonly at: bigint;
  /** The agent's time minus this machine's. */
  readonly offset: bigint;
  /** Half the round trip, which limits the error of the offset. */
  readonly error: number;
}

/** The clocks of two machines drift apart by at most this much, which is well above the 50 ppm of crystals. */
const drift = 100e-6;
const kept = 32;

/** An agent's clock, from its pings. Of the latest samples the most precise one counts. */
export class AgentClock implements ComparedClock {
  #samples: ClockSample[] = [];
  wallOffMs = 0;
  roundTripMs = Number.POSITIVE_INFINITY;

  /**
   * Takes a ping that was sent and answered at these times of this machine. `theirs`: when the agent heard it;
   * `heldNs`: how long the agent worked on its answer, which is no part of the round trip.
   */
  add(sent: bigint, answered: bigint, theirs: bigint, theirWallMs: number, heldNs: number): void {
    const travelled = answered - sent - BigInt(heldNs);
    const roundTrip = travelled > 0n ? travelled : 0n;
    this.#samples = [
      ...this.#samples.slice(1 - kept),
      { at: answered, offset: theirs - (sent + roundTrip / 2n), error: Number(roundTrip) / 2 },
    ];
    this.roundTripMs = Math.min(...this.#samples.map(({ error }) => error * 2)) / 1e6;
    this.wallOffMs = theirWallMs - (Date.now() - Number(roundTrip) / 2e6);
  }

  get errorMs(): number {
    return this.#errorOf(this.#best()) / 1e6;
  }

  /** Translates a time of this machine into the agent's clock. */
  toAgent(ns: string): string {
    return String(BigInt(ns) + this.#best().offset);
  }

  /** Translates a time of the agent into this machine's clock. */
  fromAgent(ns: string): string {
    return String(BigInt(ns) - this.#best().offset);
  }

  #best(): ClockSample {
    const best = this.#samples.reduce<ClockSample | null>(
      (a, b) => (a === null || this.#errorOf(b) < this.#errorOf(a) ? b : a),
      null,
    );
    if (best === null) throw new Error('The clock was not compared yet.');
    return best;
  }

  #errorOf({ at, error }: ClockSample): number {
    return error + Number(process.hrtime.bigint() - at) * drift;
  }
}
