import type { Endpoint, EngineConfig } from '#engine-api/config.ts';
import type { Settings } from '#model/settings/settings.ts';

/** The pool that a variant asks for. */
export interface PoolerWishes {
  readonly mode: Exclude<Settings['pooler'], 'none'>;
  /** The connections of its clients, those that only watch included. */
  readonly clients: number;
  /** The most connections to the server. */
  readonly servers: number;
}

/** A connection pooler on 127.0.0.1 before a server that Dyno manages. Disposing of it ends it. */
export interface RunningPooler extends AsyncDisposable {
  /** The product's name in errors: "PgBouncer". */
  readonly label: string;
  readonly endpoint: Endpoint;
  readonly pid: number;
  /** True if its process has ended. */
  isGone(): boolean;
  /** Its own totals since it started, by names that begin with the product. */
  counters(): Promise<Readonly<Record<string, number>>>;
}

/** A pooler that Dyno can start. */
export interface PoolerKind {
  /** The engine to whose servers it leads. */
  readonly engine: string;
  /**
   * Starts it before the server of a target; its files are below `folder`. It ends with this process, however that
   * ends.
   * @throws DynoError 'unsupported' if it is not installed, or the system allows too few open files.
   */
  start(config: EngineConfig, folder: string, wishes: PoolerWishes): Promise<RunningPooler>;
}
