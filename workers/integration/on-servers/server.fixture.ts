import type { Home } from '#platform/paths.ts';

/** A server of an engine. */
export interface OnServer {
  readonly engine: string;
  /** Its name in experiments. */
  readonly target: string;
  /** The home of all tests of the server, which is started once. There is one once tests run. */
  readonly home: Home;
}
