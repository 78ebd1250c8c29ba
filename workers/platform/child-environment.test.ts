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
  expect(childEnvironment(environment)).toEqual({ PATH: '/bin', HOME: '/home/dba' });
});

it('leaves out libraries that were unpacked for the window alone', () => {
  const environment = {
    DYNO_UNPACKED_PACKAGES: '/c/system',
    LD_LIBRARY_PATH: '/c/system/usr/lib:/c/system/lib:/opt/lib',
  };
  expect(childEnvironment(environment)).toEqual({ LD_LIBRARY_PATH: '/opt/lib' });
  expect(childEnvironment({ ...environment, LD_LIBRARY_PATH: '/c/system/lib' })).toEqual({});
});
