import { testStrikes } from './strike-tests.fixture.ts';

testStrikes([{ victim: 'command', phase: 'verify', signal: 'SIGKILL' }], 'sqlite');
