/** One metric of the live series. */
interface Metric {
  /** Its name as OpenTelemetry writes it. */
  readonly name: string;
  /** counter: a sum over the run that never falls; gauge: the value of the last second. */
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** The unit as OpenTelemetry's conventions write it (UCUM): `s`, `By`, `1` (a share), or a word in braces. */
  readonly unit: string;
  /** A sentence without its full stop, for the help text of the metric and for docs/live-series.md. */
  readonly about: string;
  /** Attributes beyond those that every series of a cell has. */
  readonly attributes?: readonly string[];
}

/**
 * Every metric of the live series. `db.client.operation.duration` is a name of OpenTelemetry's conventions for database
 * clients; those have no names for the others.
 */
export const metrics = {
  operationTime: {
    name: 'db.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    about: 'Service times of calls, from the start of a call to its answer',
    attributes: ['dyno.statement', 'error.type'],
  },
  transactionTime: {
    name: 'dyno.transaction.duration',
    kind: 'histogram',
    unit: 's',
    about: 'Times of transactions that succeeded, from before their begin to the answer of their commit',
    attributes: ['dyno.transaction'],
  },
  scenarioTime: {
    name: 'dyno.scenario.duration',
    kind: 'histogram',
    unit: 's',
    about: 'Times of complete passes of scenarios, with their pauses',
    attributes: ['dyno.scenario'],
  },
  responseTime: {
    name: 'dyno.response.duration',
    kind: 'histogram',
    unit: 's',
    about: 'Response times of units of work that succeeded, from their intended start; closed loads have none',
  },
  calls: { name: 'dyno.calls', kind: 'counter', unit: '{call}', about: 'Calls that succeeded' },
  rows: { name: 'dyno.rows', kind: 'counter', unit: '{row}', about: 'Rows of the calls that succeeded' },
  commits: { name: 'dyno.commits', kind: 'counter', unit: '{commit}', about: 'Commits' },
  errors: {
    name: 'dyno.errors',
    kind: 'counter',
    unit: '{call}',
    about: 'Calls that failed, by the kind of error',
    attributes: ['error.type'],
  },
  retries: {
    name: 'dyno.retries',
    kind: 'counter',
    unit: '{attempt}',
    about: 'Attempts that were repeated after a write conflict',
  },
  givenUp: {
    name: 'dyno.given_up',
    kind: 'counter',
    unit: '{unit}',
    about: 'Units of work that were given up after the most attempts',
  },
  arrivals: {
    name: 'dyno.arrivals',
    kind: 'counter',
    unit: '{unit}',
    about: 'Units of work that arrived, which is the offered load; closed loads have none',
  },
  waiting: {
    name: 'dyno.waiting',
    kind: 'gauge',
    unit: '{unit}',
    about: 'Units of work that wait for a connection; closed loads have none',
  },
  connections: { name: 'dyno.connections', kind: 'gauge', unit: '{connection}', about: 'Connections of the trial' },
  busy: {
    name: 'dyno.connections.busy',
    kind: 'gauge',
    unit: '{connection}',
    about: 'Connections with a call, begin, commit or rollback under way, as the mean over the second',
  },
  clientTime: {
    name: 'dyno.client.cpu.time',
    kind: 'counter',
    unit: 's',
    about: 'Processor time of the client processes',
    attributes: ['cpu.mode'],
  },
  clientBusy: {
    name: 'dyno.client.event_loop.utilization',
    kind: 'gauge',
    unit: '1',
    about: 'Share of the second in which the event loop of the busiest client process was busy',
  },
  clientMemory: {
    name: 'dyno.client.memory',
    kind: 'gauge',
    unit: 'By',
    about: 'Resident memory of the client processes',
  },
  network: {
    name: 'dyno.client.network.io',
    kind: 'counter',
    unit: 'By',
    about: 'Bytes on the connections, where the driver shows them',
    attributes: ['network.io.direction'],
  },
  serverEvents: {
    name: 'dyno.server.events',
    kind: 'counter',
    unit: '{event}',
    about: 'Counters of the server that count events',
    attributes: ['dyno.counter'],
  },
  serverBytes: {
    name: 'dyno.server.io',
    kind: 'counter',
    unit: 'By',
    about: 'Counters of the server that count bytes',
    attributes: ['dyno.counter'],
  },
  serverTime: {
    name: 'dyno.server.time',
    kind: 'counter',
    unit: 's',
    about: 'Counters of the server that count time',
    attributes: ['dyno.counter'],
  },
  serverNow: {
    name: 'dyno.server.now',
    kind: 'gauge',
    unit: '{item}',
    about: 'Values of the server at the moment of the probe, such as sessions by their wait',
    attributes: ['dyno.counter'],
  },
  serverSize: {
    name: 'dyno.server.size',
    kind: 'gauge',
    unit: 'By',
    about: 'Sizes at the server at the moment of the probe',
    attributes: ['dyno.counter'],
  },
  serverSpan: {
    name: 'dyno.server.span',
    kind: 'gauge',
    unit: 's',
    about: 'Spans of time at the server at the moment of the probe',
    attributes: ['dyno.counter'],
  },
  loadHostBusy: {
    name: 'dyno.load_host.cpu.utilization',
    kind: 'gauge',
    unit: '1',
    about: 'Share of the processors of a load host that anything used',
    attributes: ['dyno.load_host'],
  },
  phase: {
    name: 'dyno.trial.phase',
    kind: 'gauge',
    unit: '{trial}',
    about: '1 for the phase of the trial that runs, and 0 for its earlier phases',
    attributes: ['dyno.phase'],
  },
  trialsDone: {
    name: 'dyno.trials',
    kind: 'counter',
    unit: '{trial}',
    about: 'Trials that have ended, by the way in which they ended',
    attributes: ['dyno.status'],
  },
  trialsPlanned: {
    name: 'dyno.trials.planned',
    kind: 'gauge',
    unit: '{trial}',
    about: 'Trials of the run, as far as known',
  },
} as const satisfies Readonly<Record<string, Metric>>;

/** The key of a metric. */
export type MetricKey = keyof typeof metrics;
/** The keys of the metrics of one kind. */
export type KeyOf<K extends Metric['kind']> = {
  [M in MetricKey]: (typeof metrics)[M]['kind'] extends K ? M : never;
}[MetricKey];

/**
 * Upper bounds of the buckets of response times, ns: five in each power of ten from 1 µs to 100 s, at the preferred
 * numbers R5 (ISO 3), so that each bucket is about 1.6 times as wide as the one below.
 */
export const boundsNs: readonly number[] = [
  ...Array.from({ length: 8 }, (_, power) =>
    [1, 1.6, 2.5, 4, 6.3].map((one) => Math.round(one * 1_000 * 10 ** power)),
  ).flat(),
  100e9,
];
