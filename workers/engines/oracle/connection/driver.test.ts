import { expect, test } from 'vitest';
import { config, type OracleConfig } from '../config.ts';
import { toError } from '../errors.ts';
import { chooseMode } from './driver.ts';

test('mode: thick where there are no client libraries says what to install', () => {
  const parsed = config.parse({
    user: 'u',
    serviceName: 's',
    mode: 'thick',
    libDir: '/nonexistent',
    password: 'c4nary',
  });
  const error = (() => {
    try {
      chooseMode(parsed as OracleConfig);
      return null;
    } catch (thrown) {
      return toError(thrown);
    }
  })();
  expect(error).toMatchObject({ kind: 'unsupported', code: 'DPI-1047' });
  expect(error?.hint).toContain('Instant Client');
  expect(JSON.stringify(error)).not.toContain('c4nary');
});

test('mode: thin needs nothing', () => {
  chooseMode(config.parse({ user: 'u', serviceName: 's' }) as OracleConfig);
});
