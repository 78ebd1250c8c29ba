import type { ErrorData } from '#model/error.ts';
import type { EngineConfig } from './config.ts';
import type { Database } from './database.ts';
import type { EngineDescriptor } from './descriptor.ts';
import type { ProbeInfo } from './probe.ts';
import type { StopSignal } from './stop-signal.ts';

/** What index.ts of each engine exports as `engine`; a worker process loads it, and with it the driver. */
export interface Engine {
  readonly descriptor: EngineDescriptor;
  /**
   * What each counter, gauge and kind of event of probe() is. A name that ends in `*` stands for all names that begin
   * so; the longest one counts. Names that are not listed are plain counts.
   */
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  /**
   * Opens the control connection. `tag` marks every session (application_name…) so that a DBA sees whose it is.
   * @throws whatever the driver throws; toError() translates it.
   */
  open(config: EngineConfig, tag: string, signal: StopSignal): Promise<Database>;
  /** Translates anything that a driver throws. Pure; never throws. */
  toError(thrown: unknown): ErrorData;
}
