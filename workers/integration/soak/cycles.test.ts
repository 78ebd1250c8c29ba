import { testCycles } from './cycle-tests.fixture.ts';

testCycles(5);
