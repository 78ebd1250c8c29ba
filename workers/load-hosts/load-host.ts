import type { DynoError } from '#model/error.ts';
import type { ToHost, ToWorker } from '#protocol/messages.ts';
import type { HostWatch, SecondListener } from './machine/host-sampler.ts';

/** The exit of a worker process. */
interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of its standard error. */
  readonly stderr: string;
}

/** Receives the messages of a worker process, and its end. */
export interface WorkerListener {
  message(message: ToHost): void;
  /** Is called if the process could not be started, or cannot be reached any more. */
  failed(error: DynoError): void;
  /** Is called once, and last. After it nothing of the process is left, as far as can be known. */
  closed(end: WorkerEnd): void;
}

/** A worker process on a load host. */
export interface WorkerChannel {
  /** Its process id on its host; 0: unknown. */
  readonly pid: number;
  /** True if it has died, even if not all of its messages have been read. */
  readonly hasEnded: boolean;
  send(message: ToWorker): void;
  kill(): void;
}

/** The clock of another machine compared with this machine's, in ms. */
export interface ComparedClock {
  /** The largest error of its times after their translation into this machine's clock. */
  readonly errorMs: number;
  /** The shortest of the latest round trips. */
  readonly roundTripMs: number;
  /** Its wall clock minus this machine's. */
  readonly wallOffMs: number;
}

/** Processor time of all cores together since a machine started, ms. */
export interface ProcessorTimes {
  readonly busyMs: number;
  readonly idleMs: number;
}

/** A place where worker processes run: this machine, or one with an agent. */
export interface LoadHost {
  /** Its name in experiments (Settings.loadFrom). */
  readonly name: string;
  readonly cores: number;
  /** Its operating system, by Node's name and the release: "linux 6.12.0". */
  readonly os: string;
  /** Its clock compared with this machine's; null: it is this machine's. */
  readonly clock: ComparedClock | null;
  /** Processor time of all its cores together since it started, as last reported; null: unknown. */
  readonly processors: ProcessorTimes | null;
  /** Reports the use of the machine once a second, from the call on. */
  watchMachine(onSecond: SecondListener): HostWatch;
  /**
   * Starts a worker. `engine`: the engine that it will be asked for; a worker that has loaded it ahead is preferred.
   */
  startWorker(listener: WorkerListener, engine?: string): WorkerChannel;
}
