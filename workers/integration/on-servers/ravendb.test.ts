import { testOnServer } from './on-server.fixture.ts';

testOnServer('ravendb', 'local-ravendb');
