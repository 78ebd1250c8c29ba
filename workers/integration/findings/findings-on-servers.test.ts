import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { whole } from '#platform/whole.fixture.ts';
import { keeping, sharedHome } from '../shared-home.fixture.ts';
import { cellsOf, expectCells, type Parts, provoke as provokeIn, shownOf } from './findings-on-servers.fixture.ts';

/**
 * Provokes findings on real servers, by the command line. A second run without the provocation must not show them. The
 * tests create the conditions, so nothing depends on the speed of a machine.
 */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const test = sharedHome(keeping('embedded-postgres'));

const provoke = (parts: Parts) => provokeIn(test.home, parts);

describe.skipIf(isSkipped('embedded-postgres'))('on PostgreSQL', () => {
  const postgres = '[embedded-postgres]';

  it('sixteen connections that change the same row wait for each other, however fast the client is; one does not', async () => {
    const found = await provoke({
      rows: '1',
      workload: '{ operation: update, callsPerCommit: 20 }',
      factors: '{ connections: [1, 16] }',
      targets: postgres,
      measure: '{ until: { seconds: 3 }, repeats: 1, warmupSeconds: 0.2 }',
    });
    expect(cellsOf(found, 'contention')).toEqual(['connections=16 on embedded-postgres']);
    const [claim] = shownOf(found, 'contention');
    expect(claim?.claim).toContain('locks of rows or tables');
    expect(claim?.evidence.some(({ label }) => label.includes('Lock:'))).toBe(true);
  });

  it.runIf(whole)('at repeatable read a hot set loses its time to tries; one connection loses none', async () => {
    const found = await provoke({
      rows: '20',
      workload: '{ operation: update, callsPerCommit: 4 }',
      factors: '{ connections: [1, 8] }',
      targets: '[{ name: rr, engine: postgres, sessionSettings: { default_transaction_isolation: repeatable read } }]',
      measure: '{ until: { seconds: 2 }, repeats: 1, warmupSeconds: 0.2 }',
    });
    expect(cellsOf(found, 'errorsHideThroughput')).toEqual(['connections=8 on rr']);
  });

  it.runIf(whole)('more connections than the server takes are refused, in its own words', async () => {
    const found = await provoke({
      workload: '{ operation: readByKey }',
      factors: '{ connections: [2, 120] }',
      targets: postgres,
      measure: '{ until: { seconds: 1 }, repeats: 1, warmupSeconds: 0 }',
    });
    expect(cellsOf(found, 'poolExhausted')).toEqual(['connections=120 on embedded-postgres']);
    expect(shownOf(found, 'poolExhausted')[0]).toMatchObject({ confidence: 'certain' });
  });

  it.runIf(whole)(
    'a report among many look-ups has the connections; among steps as long as itself it does not',
    async () => {
      const run = (look: string) =>
        provoke({
          workload: '{ operation: statement, method: prepared, connections: 2 }',
          statements: `{ look: { text: ${look}, weight: 20 }, report: { text: SELECT pg_sleep(0.2), weight: 1 } }`,
          targets: postgres,
          measure: '{ until: { seconds: 2 }, repeats: 1, warmupSeconds: 0 }',
        });
      const found = await run('SELECT 1');
      expectCells(found, 'statementDominates', ['default on embedded-postgres']);
      expect(shownOf(found, 'statementDominates')[0]?.claim).toContain('“report” is ');
      expect(cellsOf(await run('SELECT pg_sleep(0.2)'), 'statementDominates')).toEqual([]);
    },
  );

  it.runIf(whole)(
    'reads of a small table measure memory; that two targets differ in durability is said, and only then',
    async () => {
      const target = (name: string, commit: string) =>
        `{ name: ${name}, engine: postgres, sessionSettings: { synchronous_commit: "${commit}" } }`;
      const run = (second: string) =>
        provoke({
          rows: '5000',
          // Each call reads a hundred pages, so the pages that come from files are a small share, even of few calls.
          workload: '{ operation: readRange, rangeRows: 100 }',
          targets: `[${target('one', 'on')}, ${target('other', second)}]`,
          measure: '{ until: { seconds: 0.4 }, repeats: 1, warmupSeconds: 0.2 }',
        });
      const unlike = await run('off');
      expect(cellsOf(unlike, 'settingsDiffer')).not.toEqual([]);
      expect(cellsOf(unlike, 'fitsInMemory')).toEqual(['default on one', 'default on other']);
      expect(cellsOf(await run('on'), 'settingsDiffer')).toEqual([]);
    },
  );
});

describe('on SQLite', () => {
  it('pauses that meet few calls, or are shorter than the tail, do not explain the tail', async () => {
    const found = await provoke({
      rows: '300',
      workload: '{ operation: readRange, rangeRows: 20 }',
      targets: '[sqlite]',
      measure: '{ until: { seconds: 1 }, repeats: 1, warmupSeconds: 0.2 }',
    });
    expect(cellsOf(found, 'gcInTail')).toEqual([]);
  });
});
