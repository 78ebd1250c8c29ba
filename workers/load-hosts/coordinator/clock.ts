import type { ComparedClock } from '../load-host.ts';

/** An agent's clock compared with this machine's, from the answer to one ping. Times in ns of process.hrtime. */
interface ClockSample {
  readonly at: bigint;
  /** The agent's time minus this machine's. */
  readonly offset: bigint;
  /** Half the round trip: the offset is no further off. */
  readonly error: number;
}

/** Clocks of machines drift apart by this much at most, a good deal more than crystals do (some 50 ppm). */
const drift = 100e-6;
const kept = 32;

/** An agent's clock, as its pings tell: of the latest samples the one that may be furthest off the least. */
export class AgentClock implements ComparedClock {
  #samples: ClockSample[] = [];
  wallOffMs = 0;
  roundTripMs = Number.POSITIVE_INFINITY;

  /** A ping that was sent and answered at these times of this machine; `theirs`: when the agent heard it. */
  add(sent: bigint, answered: bigint, theirs: bigint, theirWallMs: number): void {
    const roundTrip = answered - sent;
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

  /** A time of this machine by the agent's clock. */
  toAgent(ns: string): string {
    return String(BigInt(ns) + this.#best().offset);
  }

  /** A time of the agent by this machine's clock. */
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
