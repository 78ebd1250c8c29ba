import { testOnServer } from './on-server.fixture.ts';

testOnServer('mongodb', 'local-mongodb');
