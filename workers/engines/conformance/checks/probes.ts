import { expect, test } from 'vitest';
import { probeInfoOf } from '#engine-api/probe-info.ts';
import type { ProbeRole } from '#model/resource.ts';
import { batches, makeRows, toBatch } from '../rows.ts';
import { call, type Suite, signal, tag } from '../suite.ts';

/** The roles of counters (or events) in bytes and in ms; the other roles count. */
const inBytes = new Set<ProbeRole>([
  'logBytes',
  'bytesReceived',
  'bytesSent',
  'bytesRead',
  'bytesWritten',
  'tempBytes',
]);

const inMs = new Set<ProbeRole>(['collectionPauses']);

export function testProbes(suite: Suite): void {
  const { withTable, prepare, single, keepsRows } = suite;
  const rows = makeRows(0, 60);
  test('probes never go back, and show work done', async () => {
    await withTable(async (table) => {
      const before = await suite.database.probe();
      const insert = await prepare(table, 'insert', single('insert'));
      for (const batch of batches(makeRows(0, 200), 1)) await call(insert, batch);
      await suite.database.settle(table);
      await suite.database.ping();
      const after = await suite.database.probe();
      expect(after.unavailable).toEqual([]);
      expect(Object.keys(after.counters)).toEqual(Object.keys(before.counters));
      for (const [name, value] of Object.entries(before.counters))
        expect(after.counters[name], name).toBeGreaterThanOrEqual(value);
      for (const name of Object.keys(suite.engine.probeInfo)) expect(name).toMatch(/^[a-z_]+$|^wait:/);
      if (keepsRows)
        expect({ ...after.counters, ...after.gauges }).not.toEqual({ ...before.counters, ...before.gauges });
      const stored = await suite.database.storedBytes(table);
      if (suite.server.noStoredBytes !== undefined) expect(stored).toBeNull();
      else if (keepsRows) expect(stored?.tableBytes).toBeGreaterThan(200 * 50);
    });
  });

  test('the pages of a table are told within their bounds, or there is a reason', async () => {
    await withTable(async (table) => {
      const { pageUse } = suite.database;
      if (pageUse === undefined) {
        expect(suite.engine.descriptor.unsupportedReasons.pageUse).toMatch(/\w/);
        return;
      }
      const insert = await prepare(table, 'insert', single('insert'));
      for (const batch of batches(makeRows(0, 200), 1)) await call(insert, batch);
      await suite.database.settle(table);
      const use = await pageUse(table);
      if ('why' in use) {
        expect(use.why).toMatch(/\w/);
        return;
      }
      const names = ['table', 'key', ...(table.indexes ?? []).map(({ name }) => name)];
      expect(use.parts.map(({ of }) => of)).toContain('table');
      for (const { of, density, outOfOrder, freeBytes } of use.parts) {
        expect(names).toContain(of);
        for (const share of [density, outOfOrder]) {
          expect(share ?? 0, of).toBeGreaterThanOrEqual(0);
          expect(share ?? 0, of).toBeLessThanOrEqual(1);
        }
        expect(freeBytes ?? 0, of).toBeGreaterThanOrEqual(0);
      }
    });
  });

  test('what probes tell is explained, in classes and roles that it can have', async () => {
    await withTable(async (table) => {
      const samples = [await suite.database.probe()];
      const insert = await prepare(table, 'insert', single('insert'));
      for (let at = 0; at < 3; at++) {
        const since = performance.now();
        for (const batch of batches(makeRows(at * 50, 50), 1)) await call(insert, batch);
        const sample = await suite.database.probe();
        const sinceMs = performance.now() - since;
        for (const { kind, agoMs, durationMs, bytes, sum } of sample.events ?? []) {
          expect(suite.engine.probeInfo[kind], kind).toBeDefined();
          expect(durationMs, kind).toBeGreaterThanOrEqual(0);
          expect(bytes ?? 0, kind).toBeGreaterThanOrEqual(0);
          // An event is in one sample: the last sample had those that ended before it. Clocks agree to half a round
          // trip.
          expect(agoMs, kind).toBeLessThan(sinceMs + (sum?.spanMs ?? durationMs) + 500);
        }
        samples.push(sample);
      }
      const counted = new Set(samples.flatMap(({ counters, gauges }) => Object.keys({ ...counters, ...gauges })));
      for (const [name, { unit, class: ofClass, role }] of Object.entries(suite.engine.probeInfo)) {
        const isSessions = name.startsWith('wait:') || name === 'running';
        // Kinds of events are neither counters nor gauges: their class is that of their duration.
        if (ofClass !== undefined && !isSessions && counted.has(name)) expect(['ms', 'us'], name).toContain(unit);
        if (isSessions) expect(ofClass, name).toBeDefined();
        if (role !== undefined) expect(unit, name).toBe(inBytes.has(role) ? 'bytes' : inMs.has(role) ? 'ms' : 'count');
      }
      for (const name of counted)
        if (name.startsWith('wait:')) expect(probeInfoOf(suite.engine.probeInfo, name)?.class, name).toBeDefined();
    });
  });

  test('the server works out what cannot be known before', async () => {
    await expect(suite.database.prove()).resolves.toBeUndefined();
  });

  test('the fingerprint names product, version and durability', async () => {
    const found = await suite.database.fingerprint();
    expect(found.version).toMatch(/^\d/);
    expect(found.product).toContain(found.version);
    expect(found.emulator === null).toBe(suite.server.excused === undefined);
    expect(Object.keys(found.durability).length).toBeGreaterThan(0);
    if (found.cacheBytes !== undefined) expect(found.cacheBytes).toBeGreaterThan(2 ** 16);
    const countsPages = Object.values(suite.engine.probeInfo).some(({ role }) => role === 'pagesRead');
    if (countsPages && found.emulator === null) expect(found.pageBytes).toBeGreaterThanOrEqual(512);
  });

  test('a server says the same of who it is over every connection, in texts that are no secrets', async () => {
    const { config, database, engine, server } = suite;
    const found = (await database.identities?.()) ?? [];
    for (const one of found) expect(one).toMatch(/^\S+ \S/);
    const { password } = server.raw;
    if (typeof password === 'string' && password !== '') expect(found.join('\n')).not.toContain(password);
    if (!database.identities || suite.server.excused !== undefined) return;
    expect(found).not.toEqual([]);
    await using another = await engine.open(config.parse(server.raw), tag, signal);
    expect(await another.identities?.()).toEqual(found);
  });

  test('bytes on the wire are counted where there is a wire', async () => {
    await withTable(async (table) => {
      const before = suite.session.wireBytes();
      const insert = await prepare(table, 'insert', single('insert'));
      await call(insert, toBatch(rows.slice(0, 1)));
      const after = suite.session.wireBytes();
      if (before === null) return expect(after).toBeNull();
      expect(after!.sent).toBeGreaterThan(before.sent + 100);
      expect(after!.received).toBeGreaterThan(before.received);
    });
  });
}
