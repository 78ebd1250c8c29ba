import type { SteppedReport } from './check-step.ts';
import type { SavedLoadHost } from './load-hosts.ts';

/** The steps in which a load host is connected to, then measured; `login` and `copy` apply to hosts over SSH. */
const steps = ['bus', 'login', 'copy', 'agent', 'clock', 'calibration'] as const;
/** One step of the test of a load host. */
export type LoadHostStepName = (typeof steps)[number];
/** The steps that a run also takes before it can use a load host. */
export type OpeningStep = Exclude<LoadHostStepName, 'clock' | 'calibration'>;

/** The titles of the steps. */
export const loadHostStepTitles: Readonly<Record<LoadHostStepName, string>> = {
  bus: 'Bus',
  login: 'SSH login',
  copy: 'Copy of Dyno',
  agent: 'Agent',
  clock: 'Clock',
  calibration: 'Calibration',
};

/** The activity of a run in each step, for its progress. */
export const openingText: Readonly<Record<OpeningStep, (name: string) => string>> = {
  bus: (name) => `Opening the bus to ${name}`,
  login: (name) => `Logging in on ${name}`,
  copy: (name) => `Copying Dyno to ${name}`,
  agent: (name) => `Starting work with the agent on ${name}`,
};

/** The steps of a load host: an agent that waits on a bus is neither copied nor started. */
export const loadHostSteps = (host: SavedLoadHost): readonly LoadHostStepName[] =>
  steps.filter((step) => 'ssh' in host || (step !== 'login' && step !== 'copy'));

/** The test of a load host, complete or under way. Contains no secrets. */
export interface LoadHostReport extends SteppedReport<LoadHostStepName> {
  /** The agent's facts of its machine; null if the machine was not reached. */
  readonly machine: {
    readonly host: string;
    readonly os: string;
    readonly cpu: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly node: string;
  } | null;
  /** The shortest round trip of some pings, and the error of the host's clock; null: not reached. */
  readonly roundTripMs: number | null;
  readonly clockErrorMs: number | null;
  /** Its wall clock minus this machine's; no measurement depends on it. */
  readonly wallClockOffMs: number | null;
  /** Calls per second of one process to the no-op engine; null: not measured. */
  readonly callsPerSecond: number | null;
}

/** The last test of a load host, for the list. */
export interface LoadHostCheck extends Pick<LoadHostReport, 'roundTripMs' | 'callsPerSecond'> {
  readonly at: string;
  readonly state: 'ok' | 'limited' | 'failed';
  readonly cores: number | null;
  readonly failedStep: LoadHostStepName | null;
}

/** A load host in the list. */
export interface LoadHostEntry {
  readonly host: SavedLoadHost;
  readonly lastCheck: LoadHostCheck | null;
}

/** The user's load hosts, with the problems of the file that stores them. */
export interface LoadHostList {
  readonly hosts: readonly LoadHostEntry[];
  /** The reason why the file of load hosts cannot be read; null: it can. */
  readonly problem: string | null;
}
