import { testOnServer } from './on-server.fixture.ts';

testOnServer('mysql', 'local-mariadb');
