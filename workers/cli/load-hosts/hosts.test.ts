import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testHome } from '#integration/home.fixture.ts';
import { loadHosts, requireLoadHosts } from '#workspace/load-hosts/load-host-store.ts';
import { hostsCommand } from './hosts.ts';

test('load hosts are added, listed and forgotten, and hold no secret', async () => {
  await using test = testHome();
  const { home } = test;
  const key = 'k'.repeat(43);
  const printed: string[] = [];
  const run = async (positionals: readonly string[], values = {}) =>
    hostsCommand.run({
      home,
      positionals,
      values,
      print: (text) => printed.push(text),
      printJson: () => {},
      note: () => {},
    });
  await run(['add', 'load1'], { ssh: 'dba@[2001:db8::1]:2222', jump: 'j@gate' });
  await run(['add', 'load2'], { nats: 'tls://bus:4222', creds: '/c', ca: 'ca.crt', agent: key });
  expect(loadHosts(home)).toEqual([
    { name: 'load1', ssh: { host: '2001:db8::1', user: 'dba', port: 2222, jump: 'j@gate' } },
    { name: 'load2', nats: 'tls://bus:4222', credentials: '/c', ca: resolve('ca.crt'), agent: key },
  ]);
  await expect(run(['add', 'local'], { ssh: 'a' })).rejects.toThrow('is the machine that runs Dyno');
  await expect(run(['add', 'load3'], { ssh: '-oProxyCommand=x' })).rejects.toThrow('not the name or address');
  await expect(run(['add', 'load3'], { nats: 'nats://me:secret@bus', agent: key })).rejects.toThrow(
    'without user and password',
  );
  await expect(run(['add', 'load3'], { ssh: 'a', nats: 'nats://b', agent: key })).rejects.toThrow('--ssh, or --nats');
  await expect(run(['add', 'load3'], { nats: 'nats://b', agent: 'KEY' })).rejects.toThrow('43 letters');
  await run(['remove', 'load1']);
  expect(() => requireLoadHosts(home, ['load2', 'load1'])).toThrow('no load host called “load1”');
  await run([]);
  expect(printed.at(-1)).toBe('load2  agent kkkkkkkk… on tls://bus:4222');
  await run(['key']);
  expect(printed.at(-1)).toMatch(/^[\w-]{43}$/);
  for (const ssh of [{ host: '' }, { host: 'a', oProxyCommand: 'x' }, { host: 'a', port: 99_999 }]) {
    writeFileSync(home.loadHosts, JSON.stringify({ version: 1, hosts: [{ name: 'load1', ssh }] }));
    expect(() => loadHosts(home), JSON.stringify(ssh)).toThrow('is no file of load hosts');
  }
});
