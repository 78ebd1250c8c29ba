import type { Advice, Candidate } from '#protocol/advice.ts';
import type { JournalRecord } from '#protocol/journal.ts';

const candidate = (title: string, steps: Candidate['steps']): Candidate => ({
  ...{
    kind: 'rewriteAndIndex',
    title,
    why: 'The condition hides a column.',
    tables: ['sales'],
    statements: ['search'],
  },
  ...{ steps, change: { statements: { search: { text: 'SELECT 1' } } } },
});
const ratio = { value: 0.5, low: 0.4, high: 0.6 };
const none = { total: null, effects: [], bytes: null, buildMs: null, insteadOf: null };

/** Advice with a recommendation of every kind of step, a loss, and two candidates that were not measured. */
export const madeAdvice: Advice = {
  ...{ budgetSeconds: 600, usedSeconds: 300, repeats: 6, remarks: ['The conditions of “sell” were not read.'] },
  advice: [
    {
      candidate: candidate('another text with an index', [
        {
          ...{ do: 'createIndex', table: 'sales' },
          index: { columns: ['day', 'amount'], unique: false, kind: 'btree', visible: true },
        },
        { do: 'set', name: 'work_mem', value: '64MB' },
        { do: 'setUp', name: 'statistics', text: 'ANALYZE {sales}' },
        { do: 'replaceText', statement: 'search', text: 'SELECT 1 FROM {sales}' },
      ]),
      ...{ verdict: 'recommended', why: 'Search is certainly faster.', total: ratio, insteadOf: null },
      ...{ bytes: 8_388_608, buildMs: 1_200 },
      effects: [
        { work: 'search', kind: 'read', figure: 0.5, beforeMs: 20, afterMs: 10, ratio },
        {
          ...{ work: 'probe-insert-sales', kind: 'probe', figure: 'mean' },
          beforeMs: 1,
          afterMs: 1.1,
          ratio: slower(),
        },
      ],
    },
    {
      candidate: candidate('index on sales (day)', []),
      ...{ verdict: 'notRecommended', why: 'It makes sell slower.', total: slower(), bytes: 4_096, buildMs: null },
      ...{ effects: [], insteadOf: 'another text with an index' },
    },
    {
      candidate: candidate('index on sales (store)', []),
      ...none,
      ...{ verdict: 'notTried', why: 'The server’s plans are the same with it (EXPLAIN).' },
    },
    {
      candidate: candidate('index on sales (sold)', []),
      ...none,
      ...{ verdict: 'outOfBudget', why: 'The budget did not suffice.' },
    },
  ],
};

function slower() {
  return { value: 1.1, low: 1.05, high: 1.15 };
}

/** A journal whose run keeps the advice. */
export function* withAdvice(journal: Iterable<JournalRecord>): Generator<JournalRecord> {
  yield* journal;
  yield { record: 'advice', at: '2026-01-01T00:00:00.000Z', advice: madeAdvice };
}
