import { expect, it } from 'vitest';
import { childEnvironment } from './child-environment.ts';

it('passes where things are, and no secret under whatever name', () => {
  const environment = {
    PATH: '/bin',
    HOME: '/home/dba',
    STAGING_PASSWORD: 'canary',
    PGPASSWORD: 'canary',
    DB: 'postgres://a:canary@b/c',
  };
  expect(childEnvironment(environment)).toEqual({ PATH: '/bin', HOME: '/home/dba', ELECTRON_RUN_AS_NODE: '1' });
});
