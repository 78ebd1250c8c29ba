import { expect, it } from 'vitest';
import { timesOf } from '../../run-model/journal-parts.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf, type SmallRun } from '../shared/small-run.fixture.ts';
import { foreignKeyWithoutIndex } from './foreign-key-without-index.ts';

const tables = { parents: { rows: 5_000, key: 'id', columns: { id: { type: 'sequence' } } } };
const columns = { id: { type: 'sequence' }, parent: { type: 'reference', table: 'parents' } };
const remove = { text: 'DELETE FROM {parents} WHERE id = :id', parameters: { id: { type: 'key', table: 'parents' } } };
const probeInfo = { rows_read: { unit: 'count', label: 'Rows read', role: 'rowsExamined' } } as const;

function outcomeOf(readPerCall: number | null, more: Partial<SmallRun> = {}, settings = {}) {
  const counts = { name: 'remove', kind: 'statement', calls: 100, rows: 100, errors: {}, failed: null } as const;
  const samples = [{ counters: { rows_read: 0 } }, { counters: { rows_read: 1 } }];
  const { facts, outcomes } = judged(foreignKeyWithoutIndex, {
    cells: [
      {
        settings: { operation: 'statement', ...settings },
        trials: [
          {
            perSecond: [100],
            samples,
            more: {
              statements: [{ ...counts, service: timesOf([5, 100]) }],
              probeDelta: readPerCall === null ? {} : { rows_read: readPerCall * 100 },
            },
          },
        ],
      },
    ],
    columns,
    probeInfo,
    descriptor: { foreignKeys: 'FOREIGN KEY', indexes: { btree: { implementation: 'CREATE INDEX' } } },
    ...more,
    more: { tables, statements: { remove }, ...more.more },
  });
  expect(outcomes).toHaveLength(1);
  return { facts, outcome: outcomes[0]! };
}

it('is shown where each delete reads the referring table, and proposes the index as a factor', () => {
  const { facts, outcome } = outcomeOf(100_000);
  expect(outcome).toMatchObject({
    status: 'shown',
    confidence: 'likely',
    claim: expect.stringMatching(
      /for each “remove” the server reads 100,000 rows, .* refers to parents by parent/,
    ) as string,
  });
  expect(mistakesOf(facts, outcome)).toEqual([]);
  expect(pictureText(outcome)).toBe('Rows: Rows read for each delete 100,000, Rows of table 100,000');
});

it('is not shown where deletes read little, an index exists, or nothing is a foreign key', () => {
  expect(outcomeOf(3).outcome.status).toBe('notShown');
  expect(outcomeOf(100_000, { dataset: { indexes: [{ columns: ['parent'] }] } }).outcome.status).toBe('notShown');
  expect(outcomeOf(100_000, {}, { foreignKeys: false }).outcome.status).toBe('notShown');
  const select = { text: 'SELECT * FROM {parents}', parameters: {} };
  expect(outcomeOf(100_000, { more: { statements: { remove: select } } }).outcome.status).toBe('notShown');
});

it('cannot be told where the server does not count the rows that it reads', () => {
  expect(outcomeOf(null).outcome.status).toBe('cannotTell');
});
