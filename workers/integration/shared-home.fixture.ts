import { afterAll, beforeAll } from 'vitest';
import { type TestHome, testHome } from './home.fixture.ts';

/** A home for all tests of this file, or of this `describe`: its servers are started once. */
export function sharedHome(): Pick<TestHome, 'home'> {
  let test: TestHome | undefined;
  beforeAll(() => {
    test = testHome();
  });
  afterAll(() => test?.[Symbol.asyncDispose](), 60_000);
  return {
    get home() {
      return test!.home;
    },
  };
}
