import type { HostSecond } from '#protocol/host-second.ts';
import { type HostReading, hostSecond, readHost } from './host-reading.ts';

/** Shorter parts of a second show the counters' steps. */
const leastMs = 200;
const everyMs = 1_000;

/** The use of this machine since the sample before, again and again. */
export class HostSampler {
  readonly #read: () => HostReading;
  #last: HostReading;

  constructor(read = readHost) {
    this.#read = read;
    this.#last = read();
  }

  /** Null: too short a time has passed, or the machine was suspended meanwhile. */
  next(): HostSecond | null {
    const now = this.#read();
    if (Number(now.atNs - this.#last.atNs) / 1e6 < leastMs) return null;
    const second = hostSecond(this.#last, now);
    this.#last = now;
    return second;
  }
}

/** Watches the machine of a load host until it is disposed of. */
export interface HostWatch extends Disposable {
  /** Stops watching, and reports the part of a second that has begun, if the host can tell it. */
  end(): void;
}

/** Receives the use of a host in one second. `endNs`: its end, by process.hrtime of this machine. */
export type SecondListener = (second: HostSecond, endNs: bigint) => void;

/** Samples this machine once a second, from now on. */
export function watchThisMachine(onSecond: SecondListener): HostWatch {
  const sampler = new HostSampler();
  const sample = () => {
    const second = sampler.next();
    if (second !== null) onSecond(second, process.hrtime.bigint());
  };
  const timer = setInterval(sample, everyMs);
  const stop = () => clearInterval(timer);
  return {
    end() {
      stop();
      sample();
    },
    [Symbol.dispose]: stop,
  };
}
