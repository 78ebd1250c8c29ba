import type { DynoError } from '#model/error.ts';
import type { ToHost, ToWorker } from '#protocol/messages.ts';

/** The exit of a worker process. */
interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to its standard error. */
  readonly stderr: string;
}

/** Hears what a worker process says, and of its end. */
export interface WorkerListener {
  message(message: ToHost): void;
  /** The process could not be started, or can no longer be reached. */
  failed(error: DynoError): void;
  /** Comes once, and last. After it nothing of the process is left, as far as can be known. */
  closed(end: WorkerEnd): void;
}

/** A worker process on a load host. */
export interface WorkerChannel {
  /** Its process id on its host; 0: not known. */
  readonly pid: number;
  /** It has died already, though not all of its messages may have been read. */
  readonly hasEnded: boolean;
  send(message: ToWorker): void;
  kill(): void;
}

/** The clock of another machine, in ms. */
export interface ComparedClock {
  /** The most that times of its own can be off once they are translated into this machine's. */
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
  /** Its clock compared with this machine's; null: it is this machine's. */
  readonly clock: ComparedClock | null;
  /** Processor time of all its cores together since it started, as last heard; null: not known. */
  readonly processors: ProcessorTimes | null;
  /** `engine`: what the worker will be asked for; one that has loaded it ahead is preferred. */
  startWorker(listener: WorkerListener, engine?: string): WorkerChannel;
}
