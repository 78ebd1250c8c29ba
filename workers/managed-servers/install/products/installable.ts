import type { Missing } from '../../process/server-kind.ts';

/** A product that `dyno servers install` fetches from a registry. Each has a file of its own, listed in install.ts. */
export interface Installable {
  readonly name: string;
  /** The engine whose server needs it. Null: it is a tool of the tests. */
  readonly engine: string | null;
  /** The kinds of server (ServerKind.id) that start from it, if its engine has others. Absent: all of them. */
  readonly kinds?: readonly string[];
  readonly about: string;
  isInstalled(): boolean;
  /**
   * The missing prerequisites of the installation, and the remedy. Null: none is missing. It may start programs to find
   * out.
   */
  lacks(): Promise<Missing | null>;
  /** Throws with advice; then nothing has changed. */
  install(onActivity: (text: string) => void): Promise<void>;
}
