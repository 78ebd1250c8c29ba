import { beforeTests } from '#platform/before-tests.fixture.ts';
import { type TestHome, testHome } from './home.fixture.ts';

/** A home for all tests of this file, or of this `describe`: its servers are started once. */
export function sharedHome(): Pick<TestHome, 'home'> {
  let test: TestHome;
  beforeTests((opened) => {
    test = opened.use(testHome());
  });
  return {
    get home() {
      return test.home;
    },
  };
}
