import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Findings } from '#analysis/findings/find-findings.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { whole } from '#platform/whole.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { keeping, sharedHome } from '../shared-home.fixture.ts';
import { cellsOf, evidenceOf, journals, type Parts, provoke, shownOf, whyNot } from './findings-on-servers.fixture.ts';

/** Findings about the client itself while it works with a real MariaDB. */
vi.setConfig({ testTimeout: 360_000, hookTimeout: 60_000 });

describe.skipIf(isSkipped('local-mariadb') || !whole)('a client that collects garbage', () => {
  const test = sharedHome(keeping('local-mariadb'));

  const clerk = 'clerk: { users: 24, steps: [{ thinkMs: 50 }, look-up] }';
  /** Each user has a connection, so a waiting user waits for the client or the server. */
  const workload = (others: number, more = '') =>
    `{ operation: statement, method: prepared, load: closed, users: ${24 + others}, connections: ${24 + others}${more} }`;
  const measure = '{ until: { seconds: 10 }, repeats: 1, warmupSeconds: 0.3 }';

  /**
   * The share of time in which the client of the last run waited for a processor; 0 if the system does not report it.
   */
  const lackedProcessor = (): number => {
    const lines = readFileSync(journals(test.home).at(-1)!, 'utf8').split('\n').filter(Boolean);
    const records = lines.map((line): JournalRecord => JSON.parse(line));
    const { health, elapsedMs } = records.find((one) => one.record === 'result')!.result;
    return (health.pauses?.noProcessorMs ?? 0) / elapsedMs;
  };
  /** A client without a processor has slow calls for this reason alone, so the run is repeated a few times. */
  const provokeWithProcessor = async (parts: Parts): Promise<Findings> => {
    for (let tries = 1; ; tries++) {
      const found = await provoke(test.home, parts);
      if (cellsOf(found, 'gcInTail').length > 0 || lackedProcessor() < 0.1 || tries === 4) return found;
    }
  };

  // Rows arrive at a rate that sleeping sets, low enough that decoding delays nothing, and all are kept until the last.
  // The driver makes 300 objects for each row on its usual path (Dyno's lean path makes none), and every collection has
  // to move them.
  it('holds up look-ups beside one report of many JSON documents', async () => {
    const report = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      SELECT JSON_COMPACT(CONCAT('[', REPEAT('[],', 300), IF(b.i % 4 = 1, SLEEP(0.002), 1), ']')) FROM n a, n b WHERE b.i <= 20`;
    const found = await provokeWithProcessor({
      workload: workload(1, ', options: { mysql.path: driver }'),
      statements: `{ look-up: { text: SELECT 1 }, report: { text: ${JSON.stringify(report)} } }`,
      scenarios: `{ ${clerk}, reporter: { users: 1, steps: [{ thinkMs: 400 }, report] } }`,
      targets: '[local-mariadb]',
      measure,
    });
    expect(cellsOf(found, 'gcInTail'), whyNot(found, 'gcInTail')).toEqual(['default on local-mariadb']);
    const [claim] = shownOf(found, 'gcInTail');
    expect(evidenceOf(claim, 'Share of their time in pauses')).toBeGreaterThan(
      evidenceOf(claim, 'Share of all time in pauses')!,
    );
  });

  it('is not said to where it is the server that keeps some of them', async () => {
    const found = await provoke(test.home, {
      workload: workload(3),
      statements: '{ look-up: { text: SELECT 1 }, wait: { text: SELECT SLEEP(0.3) } }',
      scenarios: `{ ${clerk}, waiter: { users: 3, steps: [wait] } }`,
      targets: '[local-mariadb]',
      measure,
    });
    expect(cellsOf(found, 'gcInTail')).toEqual([]);
    expect(whyNot(found, 'gcInTail')).toMatch(/\d of the \d+ slowest calls spent most of their time while/);
  });
});
