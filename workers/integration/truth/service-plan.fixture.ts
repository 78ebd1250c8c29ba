import type { Sfc32 } from '#stats/random/random.ts';
import { normal } from '#stats/random/samples.fixture.ts';

/** Statements with this table's name take time; the server answers all others at once. */
export const workTable = 'dyno_truth';

/** The service time of a request, ms: a distribution with this mean. */
export type Service =
  | { readonly kind: 'constant' | 'exponential'; readonly meanMs: number }
  /** `sigma`: standard deviation of the logarithm. */
  | { readonly kind: 'lognormal'; readonly meanMs: number; readonly sigma: number }
  /** One request in this number is slow. */
  | { readonly kind: 'bimodal'; readonly fastMs: number; readonly slowMs: number; readonly slowShare: number };

export interface ServicePlan {
  readonly service: Service;
  /** Number of requests served at a time. */
  readonly servers: number;
  readonly seed: number;
  /** A pause of all servers, ms, when this request arrives, counted from 0. */
  readonly stall?: { readonly atRequest: number; readonly ms: number };
}

/**
 * The load of the hand-written client: this many calls per second arrive at random times; null: closed loops on
 * connections.
 */
export interface BarePlan {
  readonly port: number;
  readonly connections: number;
  readonly perSecond: number | null;
  readonly seconds: number;
  readonly seed: number;
}

/** The server's log: one entry for each request, in the order of arrival. Times are of process.hrtime, ns. */
export interface RequestLog {
  readonly arrivedNs: number[];
  readonly serviceMs: number[];
  /** Just before the answer was written; NaN: not yet. */
  readonly sentNs: number[];
}

export function drawService({ service }: Pick<ServicePlan, 'service'>, random: Sfc32): number {
  switch (service.kind) {
    case 'constant':
      return service.meanMs;
    case 'exponential':
      return -Math.log(1 - random.unit()) * service.meanMs;
    case 'lognormal':
      return service.meanMs * Math.exp(service.sigma * normal(random) - service.sigma ** 2 / 2);
    case 'bimodal':
      return random.unit() < service.slowShare ? service.slowMs : service.fastMs;
  }
}

/**
 * Response times of a queue with Poisson arrivals, a service time of S ms and the load ρ (Kleinrock, Queueing Systems
 * I, 1975: 3.2 and 3.5 for M/M/1 and M/M/c, 5.6 for M/D/1).
 */
export const theory = {
  /** The response time of M/M/1 is exponential with this mean. */
  mm1: (serviceMs: number, load: number) => serviceMs / (1 - load),
  mm1P99: (serviceMs: number, load: number) => (Math.log(100) * serviceMs) / (1 - load),
  md1: (serviceMs: number, load: number) => (serviceMs * (2 - load)) / (2 * (1 - load)),
  /** Erlang's C formula gives the share of waiting requests. */
  mmc(serviceMs: number, load: number, servers: number): number {
    const offered = load * servers;
    let term = 1;
    let sum = 0;
    for (let n = 0; n < servers; n++) {
      sum += term;
      term *= offered / (n + 1);
    }
    const waiting = term / (1 - load);
    return serviceMs + ((waiting / (sum + waiting)) * serviceMs) / (servers * (1 - load));
  },
};
