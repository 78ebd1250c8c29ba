import { testCycles } from './cycle-tests.fixture.ts';

/** `npm run soak -- --cycles 1000` does more of them. */
testCycles(30);
