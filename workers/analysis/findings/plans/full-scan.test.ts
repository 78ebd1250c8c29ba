import { describe, expect, it } from 'vitest';
import type { PlanStep } from '#engine-api/query-plan.ts';
import { step } from '../../server/query-plans.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf, type SmallTrial } from '../shared/small-run.fixture.ts';
import { fullScan } from './full-scan.ts';
import {
  claimed,
  columns,
  counted,
  counts,
  indexed,
  oneEach,
  only,
  run,
  scan,
  statements,
} from './scan-runs.fixture.ts';

describe('a full scan for few rows', () => {
  it('is certain where the server counted, names the column, and proposes the index as a factor', () => {
    const { scanned, unused } = run([scan(counted)]);
    const claim = claimed(only(scanned));
    expect(claim).toMatchObject({ confidence: 'certain' });
    expect(pictureText(claim)).toBe('Rows of one execution: Rows read 100,000, Rows wanted 1');
    expect(claim.claim).toMatch(
      /“find” reads all 100,000 rows of table to find 1, as the server counted: no index begins with the column code\./,
    );
    expect(claim.confirm?.edits).toContainEqual({ path: ['dataset', 'indexes'], value: [{ columns: ['code'] }] });
    expect(claim.confirm?.edits).toContainEqual({
      path: ['factors'],
      value: { indexCreation: ['none', 'beforeLoad'] },
    });
    expect(mistakesOf(scanned.facts, claim)).toEqual([]);
    expect(only(unused).status).toBe('notShown');
  });

  it('is likely if only the optimizer, or the returned rows, show how few rows are needed', () => {
    expect(claimed(only(run([scan()]).scanned)).confidence).toBe('likely');
    const untold = scan({ filter: null, estimatedRows: null });
    expect(claimed(only(run([untold]).scanned))).toMatchObject({
      confidence: 'likely',
      claim: expect.stringContaining('returned or changed on average') as string,
    });
  });

  it('is not shown for many rows, small tables, other steps, and sums', () => {
    const statusOf = (...given: Parameters<typeof run>) => only(run(...given).scanned).status;
    expect(statusOf([scan({ ...counted, actualRows: 5_000 })])).toBe('notShown');
    expect(statusOf([scan({ ...counted, examinedRows: 999 })])).toBe('notShown');
    expect(statusOf([scan({ kind: 'indexSeek' })])).toBe('notShown');
    expect(statusOf([scan({ filter: null, estimatedRows: null })], { rowsPerCall: 50_000 })).toBe('notShown');
    const sum = { find: { ...statements.find, text: 'SELECT sum(id) FROM {table} WHERE code = :code' } };
    expect(statusOf([scan({ filter: null, estimatedRows: null })], { more: { statements: sum } })).toBe('notShown');
  });

  it('reports only the rows read if a limit stopped the scan, and ignores steps that were never executed', () => {
    const stopped = { ...counted, examinedRows: 2_345, extent: 'mayStop' } as const;
    expect(claimed(only(run([scan(stopped)]).scanned)).claim).toMatch(
      /“find” reads 2,345 rows of table, until a step above wants no more, to find 1, as the server counted/,
    );
    const statusOf = (...given: Parameters<typeof run>) => only(run(...given).scanned).status;
    // A LIMIT may stop an estimated scan at any row.
    expect(statusOf([scan({ extent: 'mayStop' })])).toBe('notShown');
    expect(statusOf([scan({ loops: 0 })])).toBe('notShown');
  });

  it('separates rows per execution from the number of executions, and of processes that share one', () => {
    const claimOf = (more: Partial<PlanStep>) =>
      claimed(only(run([step('Nested Loop', { kind: 'join' }), scan({ depth: 1, ...more })]).scanned)).claim;
    expect(claimOf({ ...counted, examinedRows: 50_000, loops: 1_000 })).toContain(
      'reads all 50,000 rows of table 1,000 times in a call to find 1 each time',
    );
    expect(claimOf({ loops: 3, sharedBy: 3, examinedRows: 30_000, actualRows: 0 })).toContain(
      'reads all 90,000 rows of table to find next to none',
    );
  });

  it('is of an index of which all entries are read, too, and finds a table by its alias', () => {
    const along = scan({ ...counted, kind: 'indexScan', index: 'by_email', table: 't' });
    const aliased = { find: { ...statements.find, text: 'SELECT * FROM {table} AS t WHERE t.code = :code' } };
    expect(claimed(only(run([along], { more: { statements: aliased } }).scanned)).claim).toContain(
      'reads all 100,000 entries of the index by_email of table to find 1',
    );
  });

  describe('without a plan', () => {
    const rowsRead = { unit: 'count', label: 'Rows', role: 'rowsExamined' } as const;
    const pagesRead = { unit: 'count', label: 'Logical reads', role: 'pagesExamined' } as const;
    /** 1,000 calls that read this number of rows each. */
    const unplanned = (
      perCall: number,
      { rowsPerCall = 1, pages = false, ...more }: Parameters<typeof run>[1] & { pages?: boolean } = {},
    ) => {
      const trial: SmallTrial = {
        perSecond: [1_000],
        samples: [{ counters: { read: 0 } }, { counters: { read: perCall * 1_000 } }],
        more: {
          storedBytes: { tableBytes: 8_192 * 500, indexBytes: 8_192 * 100 },
          statements: [{ name: 'find', kind: 'statement', ...counts, rows: 1_000 * rowsPerCall, service: oneEach }],
        },
      };
      return judged(fullScan, {
        cells: [{ settings: { operation: 'statement' }, trials: [trial] }],
        columns,
        probeInfo: { read: pages ? pagesRead : rowsRead },
        fingerprint: { pageBytes: 8_192 },
        descriptor: { indexes: { btree: { implementation: 'CREATE INDEX' } } },
        ...more,
        more: { statements, ...more.more },
      });
    };

    it('is likely where the server counts all rows, or all pages, of the table for each call', () => {
      const byRows = unplanned(100_010);
      expect(claimed(only(byRows))).toMatchObject({
        confidence: 'likely',
        claim: expect.stringMatching(
          /for each call of “find” the server reads 100,000 rows, and table has 100,000:/,
        ) as string,
      });
      expect(mistakesOf(byRows.facts, only(byRows))).toEqual([]);
      expect(claimed(only(unplanned(505, { pages: true }))).claim).toMatch(/reads 505 pages, and table has 500:/);
    });

    it('is left open where few are read, many are wanted, an index fits, or something else may be read', () => {
      const statusOf = (...given: Parameters<typeof unplanned>) => only(unplanned(...given)).status;
      expect(statusOf(4)).toBe('cannotTell');
      expect(statusOf(4, { pages: true })).toBe('cannotTell');
      expect(statusOf(100_000, { rowsPerCall: 5_000 })).toBe('cannotTell');
      expect(statusOf(100_000, { dataset: indexed })).toBe('cannotTell');
      // The statement also reads another table.
      expect(statusOf(900_000)).toBe('cannotTell');
      const sum = { find: { ...statements.find, text: 'SELECT sum(id) FROM {table} WHERE code = :code' } };
      expect(statusOf(100_000, { more: { statements: sum } })).toBe('cannotTell');
      const remove = { find: { ...statements.find, text: 'DELETE FROM {parents} WHERE code = :code' } };
      const parents = { rows: 100_000, key: 'id', columns: { id: { type: 'sequence' }, code: { type: 'integer' } } };
      const removing = { more: { statements: remove, tables: { parents } } };
      expect(statusOf(100_000, removing)).toBe('shown');
      const referring = { ...columns, parent: { type: 'reference', table: 'parents' } };
      expect(statusOf(100_000, { ...removing, columns: referring })).toBe('cannotTell');
    });
  });

  it('cannot be told without a plan', () => {
    expect(only(run(null).scanned)).toMatchObject({ status: 'cannotTell' });
    expect(only(run(null).unused)).toMatchObject({ status: 'cannotTell' });
  });
});
