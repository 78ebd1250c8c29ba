import type { ServerParameters } from '#model/settings/server-parameters.ts';
import type { ServerProcess } from './server-process.ts';

/** A running managed server, on 127.0.0.1 and a free port, with a new password if its kind has one. */
export interface RunningServer extends ServerProcess {
  /**
   * A target's configuration that reaches it, perhaps with a password. Its user has the rights of ConfigParser.grants
   * and no others: statements of experiments reach Dyno's tables, but no files or programs.
   */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The configuration of an administrator, for tests; no statement of an experiment runs as this user. */
  readonly admin: Readonly<Record<string, unknown>>;
  readonly port: number;
  readonly dataFolder: string;
  /** The main processes of its other members; stop() ends them too, and `gone` settles with the first that ends. */
  readonly memberPids?: readonly number[];
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

/** A server of one run alone, which has data of its own: they are deleted when nobody holds the server any more. */
interface OwnServer {
  /** The server's kind. */
  readonly kind: string;
  readonly parameters: ServerParameters;
}

/**
 * A kind of server that Dyno can start by itself where its programs are on the machine. One file a kind, in servers/,
 * built from server-process.ts (start, wait, stop, guard), free-port.ts, account.ts, orphan.ts and tools.ts. The shell
 * and the command line load these files, too: a driver that a kind needs is imported within start().
 */
export interface ServerKind {
  /** The kind's name, which is also the name of its built-in target (descriptor.builtIn of its engine). */
  readonly id: string;
  readonly engine: string;
  readonly label: string;
  /**
   * True: the server is one of several versions of its product, or has more members. Commands for all servers leave it
   * out; it is chosen by its name.
   */
  readonly byVersion?: boolean;
  /** Absent: all runs share the server, and its data stay. */
  readonly ofRun?: OwnServer;
  /**
   * The missing prerequisites of start() on this machine. Null: none is missing. It is quick: it starts no server, and
   * only asks programs for their version.
   */
  missing(): Promise<Missing | null>;
  /**
   * The installation that start() takes, in words: '10.11.19, /usr/sbin/mariadbd'. Null: there is none. Absent: Dyno
   * brings or fetches exactly one.
   */
  installed?(): Promise<string | null>;
  /**
   * Starts the server with its product's defaults (durable commits on), and with parameters, if any, that are checked
   * (descriptor.serverParameters): as arguments, so that no file keeps them. Its data are below `folder`, and made on
   * first use. A server that a crash has left running on the same data is stopped first. `onActivity` gets a line for
   * each step that takes a second. If Dyno is root, servers that refuse root run as nobody (serverFolder() chooses the
   * place of their data).
   * @throws DynoError with advice; everything that was started by then is stopped.
   */
  start(folder: string, onActivity: (text: string) => void, parameters?: ServerParameters): Promise<RunningServer>;
  /**
   * A shell command that opens the product's own client on a running server. It takes the password, if there is one,
   * from this shell variable (`$NAME`), and in no argument. Absent: there is no usual client.
   */
  client?(raw: RunningServer['raw'], password: string): string;
}
