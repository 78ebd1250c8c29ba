import { testOnServer } from './on-server.fixture.ts';

testOnServer('sqlite', 'sqlite');
