import { testOnServer } from './on-server.fixture.ts';

testOnServer('drda', 'local-derby');
