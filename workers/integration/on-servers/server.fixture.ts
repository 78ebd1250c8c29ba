import type { Home } from '#platform/paths.ts';

/** A server of an engine. */
export interface OnServer {
  readonly engine: string;
  /** Its name in experiments. */
  readonly target: string;
  /** The home of all tests of the server, which starts once. The home exists only while tests run. */
  readonly home: Home;
}
