import type { ServerProcess } from './server-process.ts';

/** A running managed server, on 127.0.0.1 and a free port, with a fresh password where its kind has one. */
export interface RunningServer extends ServerProcess {
  /**
   * A target's configuration that reaches it; may hold a password. Its user has the rights that ConfigParser.grants
   * gives and no others: an experiment's statements reach Dyno's tables, and no files or programs.
   */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The configuration of an administrator, for tests: no statement of an experiment runs as this user. */
  readonly admin: Readonly<Record<string, unknown>>;
  readonly port: number;
  readonly dataFolder: string;
}

/**
 * The reason why a kind of server cannot be started on this machine, and the command (or package) that changes that.
 */
export interface Missing {
  readonly what: string;
  readonly fix: string;
  /** The side effects of the fix, and the command that undoes them; absent if there are none. */
  readonly besides?: { readonly text: string; readonly command: string };
}

/**
 * A kind of server that Dyno can start by itself where its programs are on the machine. One file a kind, in servers/,
 * built from server-process.ts (start, wait, stop, guard), free-port.ts, account.ts, orphan.ts and tools.ts. The shell
 * and the command line load these files, too: a driver that one needs is imported within start().
 */
export interface ServerKind {
  /** Its name, which is also that of the built-in target it serves (descriptor.builtIn of its engine). */
  readonly id: string;
  readonly engine: string;
  readonly label: string;
  /** The missing prerequisites of start() on this machine; null if there are none. Quick, starts nothing. */
  missing(): Promise<Missing | null>;
  /**
   * Starts it with its own product's defaults (durable commits on), its data below `folder`, made on first use. First
   * stops a server of the same data folder that a crash has left behind. `onActivity` gets one line per step that takes
   * a second. As root, servers that refuse root run as nobody (serverFolder() then tells where their data can be).
   * @throws DynoError with advice; what it has started by then is stopped.
   */
  start(folder: string, onActivity: (text: string) => void): Promise<RunningServer>;
  /**
   * A shell command that opens the product's own client on a running server. The password, where there is one, is taken
   * from this shell variable (`$NAME`) and in no argument. Absent: there is no usual client.
   */
  client?(raw: RunningServer['raw'], password: string): string;
}
