import { expect, test } from 'vitest';
import { type Socks, socksProblems, socksText } from './socks.ts';
import { throughTunnel } from './tunnel.ts';

test.each<Socks>([
  { host: 'proxy' },
  { host: '192.0.2.7', port: 1_081, user: 'CORP\\ann' },
  { host: 'fe80::1', user: 'ann', password: `\${env:PROXY}` },
])('%j is a SOCKS proxy', (socks) => {
  expect(socksProblems(socks)).toEqual([]);
});

test.each<[Socks, string]>([
  [{ host: '' }, 'host'],
  [{ host: 'socks5://proxy' }, 'host'],
  [{ host: 'a b' }, 'host'],
  [{ host: 'a', port: 0 }, 'port'],
  [{ host: 'a', port: 1.5 }, 'port'],
  [{ host: 'a', user: '' }, 'user'],
  [{ host: 'a', user: 'x'.repeat(256) }, 'user'],
  [{ host: 'a', user: 'u', password: 'canary' }, 'password'],
])('%j is none, and the problem names the part, and no value', (socks, part) => {
  expect(socksProblems(socks)).toMatchObject([{ part }]);
  expect(JSON.stringify(socksProblems(socks))).not.toContain('canary');
});

test('is shown as a user writes it', () => {
  expect(socksText({ host: 'p', user: 'u', port: 1_081 })).toBe('u@p:1081');
  expect(socksText({ host: '::1' })).toBe('[::1]:1080');
  expect(throughTunnel('db:5432/x', { socks: { host: 'p' } })).toBe('db:5432/x through SOCKS p:1080');
});
