import { testCycles } from './cycle-tests.fixture.ts';

/** `npm run test:long -- soak --cycles 1000` does more of them. */
testCycles(30);
