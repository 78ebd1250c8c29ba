import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import { noteHostCheck } from '#workspace/load-hosts/load-host-checks.ts';
import { createLoadHostServices } from './load-host-handlers.ts';

const homes: Home[] = [];
afterEach(() => {
  for (const { root } of homes.splice(0)) rmSync(root, { recursive: true });
});

function services(running: string | null = null) {
  const home = homeOf({ DYNO_HOME: mkdtempSync(join(tmpdir(), 'dyno-hosts-')) });
  ensureHome(home);
  homes.push(home);
  const events: string[] = [];
  const asked: string[] = [];
  const { handlers } = createLoadHostServices(
    home,
    { loadHost: async (host) => void asked.push(host.name) },
    () => running,
    (event) => events.push(event),
  );
  const names = async () => (await handlers['hosts:list'](null)).hosts.map(({ host }) => host.name);
  return { home, handlers, events, names, asked };
}

const load1 = { name: 'load1', ssh: { host: 'load1.example.com', user: 'dba' } };
const load2 = { name: 'load2', nats: 'tls://bus:4222', agent: 'A'.repeat(43) };

const tested = (home: Home, name: string) =>
  noteHostCheck(home, name, {
    ...{ state: 'ok', steps: [], machine: null, roundTripMs: 1, clockErrorMs: 1, wallClockOffMs: 0 },
    callsPerSecond: 5,
  });

test('load hosts are saved, renamed, and no two have one name', async () => {
  const { handlers, events, names, home } = services();
  await handlers['hosts:save']({ host: load1, before: null });
  await handlers['hosts:save']({ host: load2, before: null });
  expect(await names()).toEqual(['load1', 'load2']);
  expect(events).toEqual(['hosts:changed', 'hosts:changed']);
  await expect(handlers['hosts:save']({ host: { ...load2, name: 'load1' }, before: 'load2' })).rejects.toThrow(
    'already',
  );
  await expect(handlers['hosts:save']({ host: { ...load1, ssh: { host: '-x' } }, before: 'load1' })).rejects.toThrow(
    'ssh.host',
  );
  // The result of a test says nothing about a load host that has changed since.
  tested(home, 'load1');
  expect((await handlers['hosts:list'](null)).hosts[0]?.lastCheck).toMatchObject({ state: 'ok', callsPerSecond: 5 });
  await handlers['hosts:save']({ host: { ...load1, name: 'first' }, before: 'load1' });
  expect(await names()).toEqual(['first', 'load2']);
  expect((await handlers['hosts:list'](null)).hosts[0]?.lastCheck).toBeNull();
  expect(await handlers['hosts:key'](null)).toMatch(/^[\w-]{43}$/);
});

test('a removed load host comes back with the result of its test', async () => {
  const { handlers, names, home } = services();
  await handlers['hosts:save']({ host: load1, before: null });
  tested(home, 'load1');
  const { undo } = await handlers['hosts:delete']({ name: 'load1' });
  expect(await names()).toEqual([]);
  await handlers['hosts:restore']({ undo });
  expect((await handlers['hosts:list'](null)).hosts).toMatchObject([{ host: load1, lastCheck: { callsPerSecond: 5 } }]);
  expect(() => handlers['hosts:restore']({ undo })).toThrow('any more');
});

test('an unreadable file is reported, and no test runs beside a run', async () => {
  const { handlers, home } = services('My run');
  writeFileSync(home.loadHosts, '{');
  expect(await handlers['hosts:list'](null)).toMatchObject({ hosts: [], problem: expect.stringContaining('no file') });
  await expect(async () => handlers['hosts:test']({ testId: 't', host: load1 })).rejects.toThrow('“My run” is running');
});

test('a load host is asked about before it is saved, where it is not saved as it is', async () => {
  const { handlers, asked } = services();
  await handlers['hosts:save']({ host: load2, before: null });
  await handlers['hosts:save']({ host: load2, before: 'load2' });
  expect(asked).toEqual(['load2']);
});
