import { isSkipped } from '#engines/conformance/skipped.ts';
import { kindOf } from '#managed-servers/servers/kinds.ts';
import { holdServer } from '#managed-servers/supervisor-client.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import type { Home } from '#platform/paths.ts';
import { type TestHome, testHome } from './home.fixture.ts';

/**
 * A home for all tests of this file, or of this `describe`, so that its servers start once. `connect` prepares it for
 * the tests. Default: nothing.
 */
export function sharedHome(connect?: (home: Home) => Promise<AsyncDisposable>): Pick<TestHome, 'home'> {
  let test: TestHome;
  beforeTests(async (opened) => {
    test = opened.use(testHome());
    if (connect) opened.use(await connect(test.home));
  });
  return {
    get home() {
      return test.home;
    },
  };
}

/**
 * Keeps the managed servers of these targets running for all tests. Without it each stops soon after a run, and the
 * next run starts it again: RavenDB takes 6 s of a processor to start.
 */
export const keeping =
  (...targets: readonly string[]) =>
  async (home: Home): Promise<AsyncDisposable> => {
    await using held = new AsyncDisposableStack();
    for (const target of targets) {
      const kind = isSkipped(target) ? null : kindOf(target);
      if (kind && !isSkipped(kind.engine)) held.use(await holdServer(home, kind));
    }
    return held.move();
  };
