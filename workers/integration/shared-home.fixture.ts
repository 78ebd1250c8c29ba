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
