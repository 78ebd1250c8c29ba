import { testOnServer } from './on-server.fixture.ts';

testOnServer('oracle', 'oracle-emulator');
