import { expect, test } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { type PlanStep, unknownStep } from '#engine-api/query-plan.ts';
import { descriptor as mongodb } from '#engines/mongodb/descriptor.ts';
import { descriptor as mysql } from '#engines/mysql/descriptor.ts';
import { descriptor as postgres } from '#engines/postgres/descriptor.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { advisedWork } from './advice-report.ts';
import { type AdvisedWork, type Candidate, isDrop } from './candidate.ts';
import { findCandidates } from './find-candidates.ts';

/** Engines with and without indexes of some rows and of expressions. */
const engines = { postgres, mysql, mongodb };

/** A file with statements over two tables, and `more` sections. */
const adviceYaml = (statements: object, indexes: readonly object[] = [], more: object = {}): string =>
  JSON.stringify({
    ...{ dyno: 1, name: 'Advised', question: 'What is faster?' },
    tables: {
      customers: { rows: 50, key: 'id', columns: { id: { type: 'sequence' }, city: { type: 'text', length: 20 } } },
    },
    dataset: {
      ...{ name: 'orders', rows: 1_000, key: 'id' },
      columns: {
        id: { type: 'sequence' },
        customer: { type: 'reference', table: 'customers' },
        status: { type: 'text', length: 8 },
        sold: { type: 'timestamp', from: '2020-01-01', to: '2021-01-01' },
        cents: { type: 'integer', min: 1, max: 9 },
      },
      ...(indexes.length > 0 && { indexes }),
    },
    workload: { operation: 'statement', method: 'prepared' },
    statements,
    targets: ['embedded-postgres', 'local-mariadb'],
    measure: { until: { seconds: 1 } },
    ...more,
  });

/** The work of the first variant of a file on an engine, without plans. */
function workOf(yaml: string, descriptor: EngineDescriptor = postgres): AdvisedWork {
  const { plan, diagnostics } = planExperiment(parseFile(yaml), planContext());
  if (!plan) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const target = plan.targets.find(({ engine }) => engine === descriptor.id)!;
  return advisedWork(plan, plan.variants[0]!, target.name, descriptor);
}

/** "missingIndex: index on orders (customer)". */
const candidateTexts = (all: readonly Candidate[]): readonly string[] =>
  all.map(({ kind, title }) => `${kind}: ${title}`);

const number = { type: 'integer', min: 1, max: 9 };
const moment = { type: 'timestamp', from: '2020-01-01', to: '2021-01-01' };
const statement = (text: string) => ({
  text,
  parameters: Object.fromEntries(
    [...text.matchAll(/:([a-z]\w*)/g)].map(([, name]) => [name, name === 'day' ? moment : number]),
  ),
});
const candidatesOf = (text: string, indexes: readonly object[] = [], descriptor = engines.postgres) =>
  candidateTexts(findCandidates(workOf(adviceYaml({ find: statement(text) }, indexes), descriptor)));

test('an index has the columns of equalities first, then one range or the order of the rows', () => {
  expect(candidatesOf('SELECT * FROM {orders} WHERE sold >= :day AND customer = :c')).toEqual([
    'missingIndex: index on orders (customer, sold)',
  ]);
  expect(candidatesOf('SELECT * FROM {orders} o WHERE o.customer = :c ORDER BY o.sold DESC')).toEqual([
    'missingIndex: index on orders (customer, sold)',
  ]);
});

test('an index with the same columns in another order is replaced, and one that serves is kept', () => {
  const text = 'SELECT * FROM {orders} WHERE sold >= :day AND customer = :c';
  expect(candidatesOf(text, [{ columns: ['sold', 'customer'] }])).toContain(
    'columnOrder: index on orders (customer, sold) instead of (sold, customer)',
  );
  expect(candidatesOf(text, [{ columns: ['customer', 'sold', 'cents'] }])).toEqual([]);
  expect(candidatesOf('SELECT * FROM {orders} WHERE id = :c')).toEqual([]);
});

test('a covering index stores the columns that are read, in the form of the engine', () => {
  const text = 'SELECT sum(cents) FROM {orders} WHERE customer = :c';
  const present = [{ columns: ['customer'] }];
  expect(candidatesOf(text, present)).toEqual([
    'coveringIndex: index on orders (customer including cents) instead of (customer)',
  ]);
  expect(candidatesOf(text, present, engines.mysql)).toEqual([
    'coveringIndex: index on orders (customer, cents) instead of (customer)',
  ]);
});

test('an index of some rows has the constant condition, where the engine has such indexes', () => {
  const text = "SELECT * FROM {orders} WHERE status = 'open' ORDER BY sold LIMIT 5";
  expect(candidatesOf(text)).toEqual([
    'missingIndex: index on orders (status, sold)',
    "partialIndex: index on orders (sold) where status = 'open'",
  ]);
  expect(candidatesOf(text, [], engines.mysql)).toEqual(['missingIndex: index on orders (status, sold)']);
});

test('a condition on a day becomes a range of the column, with an index where none begins with it', () => {
  const text = 'SELECT id FROM {orders} WHERE date(sold) = :day';
  const range = "(sold >= CAST(:day AS DATE) AND sold < CAST(:day AS DATE) + INTERVAL '1' DAY)";
  expect(candidatesOf(text, [{ columns: ['sold'] }], engines.mysql)).toContain(
    'rewrite: find with sold alone instead of date(sold)',
  );
  const [found] = findCandidates(workOf(adviceYaml({ find: statement(text) })));
  expect(found?.steps).toEqual([
    { do: 'replaceText', statement: 'find', text: `SELECT id FROM {orders} WHERE ${range}` },
  ]);
  const all = candidatesOf(text);
  expect(all).toContain('rewrite: find with sold alone instead of date(sold)');
  expect(all.filter((one) => one.startsWith('rewriteAndIndex'))).toHaveLength(1);
  expect(all).toContain('expressionIndex: index on orders (date(sold))');
});

test('an index that another one contains, or the key, may be dropped; a unique one may not', () => {
  const text = 'SELECT * FROM {orders} WHERE customer = :c AND sold >= :day';
  const indexes = [{ columns: ['customer'] }, { columns: ['customer', 'sold'] }, { columns: ['cents'], unique: true }];
  expect(candidatesOf(text, indexes)).toEqual(['redundantIndex: no index on orders (customer)']);
});

test('all indexes of a table that others contain are dropped together, and the widest one stays', () => {
  const text = 'SELECT * FROM {orders} WHERE customer = :c AND sold >= :day AND cents > 1';
  const columns = ['customer', 'sold', 'cents'];
  const work = workOf(
    adviceYaml(
      { find: statement(text) },
      columns.map((_, i) => ({ columns: columns.slice(0, i + 1) })),
    ),
  );
  const plan = { command: '', executed: false, steps: [], text: '', printed: null };
  const known = { ...work, statements: work.statements.map((one) => ({ ...one, plan })) };
  const [drop, ...more] = findCandidates(known).filter((one) => isDrop(one));
  expect(more).toEqual([]);
  expect(drop).toMatchObject({
    title: 'no index on orders (customer), (customer, sold)',
    steps: [{ index: { columns: ['customer'] } }, { index: { columns: ['customer', 'sold'] } }],
    change: { dataset: { indexes: [{ columns }] } },
  });
  expect(drop?.why).toContain('(customer) begins like the index (customer, sold, cents)');
});

test('an index that no plan reads may be dropped only if all plans are known', () => {
  const work = workOf(
    adviceYaml({ find: statement('SELECT * FROM {orders} WHERE id = :c') }, [{ columns: ['cents'] }]),
  );
  expect(findCandidates(work)).toEqual([]);
  const plan = { command: '', executed: false, steps: [], text: '', printed: null };
  const known = { ...work, statements: work.statements.map((one) => ({ ...one, plan })) };
  expect(candidateTexts(findCandidates(known))).toEqual(['unusedIndex: no index on orders (cents)']);
});

test('an estimate that is far off gets statistics of the columns of its condition, where the engine has them', () => {
  const text = 'SELECT id FROM {orders} WHERE customer = :c AND cents = :d';
  const step = { ...unknownStep, estimatedRows: 1, actualRows: 5_000, loops: 1, extent: 'toEnd' as const };
  const plan = { command: '', executed: true, steps: [step], text: '', printed: null };
  const setupFor = (
    descriptor: EngineDescriptor,
    steps: readonly PlanStep[],
    indexes = [{ columns: ['customer'] }],
  ) => {
    const work = workOf(adviceYaml({ find: statement(text) }, indexes), descriptor);
    const looked = { ...work, statements: work.statements.map((one) => ({ ...one, plan: { ...plan, steps } })) };
    return findCandidates(looked).flatMap(({ kind, change }) => (kind === 'statistics' ? [change.setup] : []));
  };
  expect(setupFor(postgres, [step])).toEqual([
    { statistics_1: { postgres: 'CREATE STATISTICS {statistics_1} ON customer, cents FROM {orders}' } },
  ]);
  const unestimated = { ...step, estimatedRows: null, examinedRows: 900_000, filter: 'o.cents = 1' };
  expect(setupFor(mysql, [unestimated])).toEqual([
    { statistics_1: { mysql: 'ANALYZE TABLE {orders} PERSISTENT FOR ALL' } },
  ]);
  expect(setupFor(postgres, [{ ...step, estimatedRows: 4_000 }])).toEqual([]);
  // One table without an index has one plan, whatever the estimate.
  expect(setupFor(postgres, [step], [])).toEqual([]);
});

test('look-ups one by one become one statement for all keys', () => {
  const yaml = adviceYaml({ one: statement('SELECT cents FROM {orders} WHERE id = :c') }, [], {
    transactions: { basket: { steps: [{ steps: ['one'], times: 5 }] } },
  });
  const [found] = findCandidates(workOf(yaml));
  expect(found).toMatchObject({ kind: 'lookUps', title: 'basket with one look-up for all keys' });
  expect(found?.change).toMatchObject({ transactions: { basket: { steps: ['one-at-once'] } } });
});

test.each([
  'SELECT * FROM {orders} WHERE customer = :c OR cents = :d',
  'WITH o AS (SELECT * FROM {orders}) SELECT * FROM o WHERE customer = :c',
  'SELECT * FROM (SELECT * FROM {orders}) o WHERE o.customer = :c',
  'SELECT id FROM {orders} WHERE customer = :c UNION SELECT id FROM {orders} WHERE cents = :d',
  'SELECT * FROM {orders} WHERE customer <> :c',
  "SELECT * FROM {orders} WHERE status LIKE '%n'",
])('nothing is made up for a condition that no index serves, or that is not read: %s', (text) => {
  expect(candidatesOf(text)).toEqual([]);
});

test('a command on a field within documents gets an index of its path', () => {
  const doc = { type: 'document', fields: { city: { type: 'text', length: 20 } } };
  const find = { find: '{people}', filter: { 'doc.city': '$c', age: { $gt: '$c' } } };
  const yaml = adviceYaml(
    { find: { text: { default: 'SELECT 1 AS one', mongodb: JSON.stringify(find) }, parameters: { c: number } } },
    [],
    {
      tables: { people: { rows: 9, key: 'id', columns: { id: { type: 'sequence' }, doc, age: number } } },
      dataset: { rows: 1, columns: {} },
      workload: { operation: 'statement', method: 'bind', documents: 'native' },
      targets: ['local-mongodb'],
    },
  );
  expect(candidateTexts(findCandidates(workOf(yaml, engines.mongodb)))).toEqual([
    'pathIndex: index on people (doc.city, age)',
  ]);
});
