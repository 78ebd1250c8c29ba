import type { ErrorData } from '#model/error.ts';
import type { EngineConfig } from './config.ts';
import type { Database } from './database.ts';
import type { EngineDescriptor } from './descriptor.ts';
import type { ProbeInfo } from './probe.ts';
import type { StopSignal } from './stop-signal.ts';

/** The export `engine` of each engine's engine.ts. A worker process loads it, and the driver with it. */
export interface Engine {
  /** The engine's descriptor, which the catalog also contains. */
  readonly descriptor: EngineDescriptor;
  /**
   * Describes each counter, gauge and kind of event of probe(). A name that ends in `*` stands for all names that begin
   * with it; the longest match counts. Unlisted names are plain counts.
   */
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  /**
   * Opens the control connection. `tag` marks every session (application_name…) so that a DBA recognises Dyno's
   * sessions.
   * @throws whatever the driver throws; toError() translates it.
   */
  open(config: EngineConfig, tag: string, signal: StopSignal): Promise<Database>;
  /** Translates anything that a driver throws. Pure; never throws. */
  toError(thrown: unknown): ErrorData;
}
