import { describe, expect, test } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { applyFix } from '#experiment/yaml/edit-experiment.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { type ParsedFile, parseFile } from '../parsed-file.ts';

const target = { postgres: 'embedded-postgres', mysql: 'local-mariadb', sqlite: 'sqlite' } as const;

const yamlOf = (texts: readonly string[], engine: keyof typeof target, more: object = {}) =>
  JSON.stringify({
    dyno: 1,
    name: 'Control',
    question: 'What becomes of it?',
    workload: { operation: 'statement', method: 'bind' },
    statements: Object.fromEntries(
      texts.map((text, i) => [
        `s${i + 1}`,
        { text, ...(text.includes(':id') && { parameters: { id: { type: 'integer', min: 1, max: 9 } } }) },
      ]),
    ),
    targets: [target[engine]],
    measure: { until: { seconds: 1 } },
    ...more,
  });

const diagnosticsOf = (file: ParsedFile) =>
  planExperiment(file, { catalog: catalog.map(({ descriptor }) => descriptor) }).diagnostics;

/** The problems, and the experiment as the fix of the first makes it. */
function problemsOf(yaml: string) {
  const file = parseFile(yaml);
  const found = diagnosticsOf(file);
  const fixed = found[0]?.fix ? parseFile(applyFix(file, found[0].fix)) : file;
  return { found, fixed: fixed.experiment, left: diagnosticsOf(fixed) };
}

test('statements between BEGIN and COMMIT are told as the transaction that they are, which the fix makes', () => {
  const texts = ['SELECT 0', 'BEGIN', 'UPDATE t SET a = 1 WHERE id = :id', 'SELECT a FROM t WHERE id = :id', 'COMMIT'];
  const { found, fixed, left } = problemsOf(yamlOf(texts, 'postgres'));
  expect(found.map(({ path }) => path)).toEqual(['statements.s2.text', 'statements.s5.text']);
  expect(found[0]!.message).toContain('`s2` is BEGIN on PostgreSQL');
  expect(found[0]!.suggestion).toContain(
    'Write these as a transaction: transactions: { transaction-1: { steps: [ s3, s4 ], parameters: { id: { type: integer',
  );
  expect(found[1]!.message).toContain('belongs to the transaction of `s2`');
  expect(left).toEqual([]);
  expect(Object.keys(fixed!.statements!)).toEqual(['s1', 's3', 's4']);
  expect(fixed!.transactions).toMatchObject({ 'transaction-1': { steps: ['s3', 's4'], parameters: { id: {} } } });
});

describe.each<[keyof typeof target, readonly string[], RegExp]>([
  ['sqlite', ['BEGIN IMMEDIATE', 'SELECT 1', 'END'], /steps: \[ s2 \]/],
  ['mysql', ['SET autocommit = 0', 'SELECT 1', 'SELECT 2', 'COMMIT', 'SET autocommit = 1'], /steps: \[ s2, s3 \]/],
  ['mysql', ['LOCK TABLES t WRITE', 'SELECT 1', 'UNLOCK TABLES'], /steps: \[ s2 \].*FOR UPDATE/],
  ['mysql', ["XA START 'a'", 'SELECT 1', "XA END 'a'", "XA PREPARE 'a'", "XA COMMIT 'a'"], /steps: \[ s2 \]/],
  ['postgres', ['SELECT 1', 'SAVEPOINT a', 'SELECT 2', 'ROLLBACK TO a'], /steps: \[ s2, s3, s4 \]/],
  ['postgres', ['LOCK TABLE t', 'SELECT 2'], /steps: \[ s1, s2 \]/],
  ['postgres', ['SELECT 1', 'COMMIT'], /steps: \[ s1 \]/],
  ['postgres', ['BEGIN', 'SELECT 1', 'ROLLBACK'], /Dyno commits it/],
  ['postgres', ['BEGIN ISOLATION LEVEL SERIALIZABLE', 'SELECT 1', 'END'], /isolation: serializable.*steps: \[ s2 \]/],
  ['mysql', ['SET TRANSACTION ISOLATION LEVEL READ COMMITTED', 'SELECT 1'], /workload: \{ isolation: readCommitted \}/],
])('on %s', (engine, texts, suggestion) => {
  test(texts.join('; '), () => {
    const yaml = yamlOf(texts, engine);
    const { found } = problemsOf(yaml);
    expect(found[0]!.severity).toBe('error');
    expect(found[0]!.suggestion).toMatch(suggestion);
    let file = parseFile(yaml);
    for (let next = diagnosticsOf(file)[0]; next?.fix; next = diagnosticsOf(file)[0])
      file = parseFile(applyFix(file, next.fix));
    expect(diagnosticsOf(file)).toEqual([]);
  });
});

test('one text with BEGIN, statements and COMMIT becomes statements and a transaction of its name', () => {
  const yaml = yamlOf(['BEGIN; UPDATE t SET a = 1 WHERE id = :id; SELECT 1 WHERE 2 = :id; COMMIT;'], 'postgres');
  const { found, fixed, left } = problemsOf(yaml);
  expect(found).toHaveLength(1);
  expect(left).toEqual([]);
  expect(Object.values(fixed!.statements!).map(({ text }) => text)).toEqual([
    'UPDATE t SET a = 1 WHERE id = :id',
    'SELECT 1 WHERE 2 = :id',
  ]);
  expect(fixed!.transactions).toMatchObject({ s1: { steps: ['s1-1', 's1-2'], parameters: { id: {} } } });
});

test('in a scenario the transaction takes the place of its steps', () => {
  const scenarios = { all: { steps: ['s1', 's2', { thinkMs: 5 }, 's3', 's4'] } };
  const { fixed, left } = problemsOf(yamlOf(['SELECT 0', 'BEGIN', 'SELECT 1', 'COMMIT'], 'postgres', { scenarios }));
  expect(left).toEqual([]);
  expect(fixed!.scenarios!.all!.steps).toMatchObject(['s1', 'transaction-1', { thinkMs: 5 }]);
});

test('a step that ends its transaction is refused, and a savepoint as a step is right', () => {
  const steps = (...names: string[]) => ({ transactions: { t: { steps: names } } });
  const { found } = problemsOf(yamlOf(['SELECT 1', 'COMMIT'], 'postgres', steps('s1', 's2')));
  expect(found).toMatchObject([
    { message: expect.stringContaining('a step of `t`, which Dyno begins and commits itself') },
  ]);
  expect(found[0]!.suggestion).toContain('steps: [ s1 ]');
  const savepoint = yamlOf(['SELECT 1', 'SAVEPOINT a', 'ROLLBACK TO a'], 'postgres', steps('s1', 's2', 's3'));
  expect(diagnosticsOf(parseFile(savepoint))).toEqual([]);
});

test('parameters in the notation of the product, and commands in that of its shell, are refused with their place', () => {
  const { found, fixed } = problemsOf(yamlOf(['SELECT 1\nWHERE 2 = $1'], 'postgres'));
  expect(found[0]!.message).toContain(
    'has $1 in line 2, column 11 of its text, a parameter that gets no value on PostgreSQL',
  );
  expect(fixed!.statements!.s1).toMatchObject({ text: 'SELECT 1\nWHERE 2 = :p1', parameters: { p1: {} } });
  const statements = { one: { text: '{ "find": "a", "filter": { "_id": ObjectId("6b0b888a5763d885c11f4adb") } }' } };
  const ofShell = problemsOf(yamlOf([], 'postgres', { statements, targets: ['local-mongodb'] }));
  expect(ofShell.found[0]!.message).toContain('line 1, column 35');
  expect(ofShell.found[0]!.suggestion).toBe('Write { "$oid": "6b0b888a5763d885c11f4adb" }');
  expect(ofShell.left).toEqual([]);
});

test('what is transaction control on one engine of several is refused, with that engine’s name', () => {
  const text = { default: 'SELECT 1', mysql: 'START TRANSACTION' };
  const yaml = JSON.stringify({
    ...JSON.parse(yamlOf([], 'postgres', { targets: ['embedded-postgres', 'local-mariadb'] })),
    statements: { one: { text } },
  });
  expect(diagnosticsOf(parseFile(yaml))[0]!.message).toContain('START TRANSACTION on MySQL');
});

test('checks and queries of values are no transaction control either', () => {
  const checks = { holds: { text: 'BEGIN' } };
  expect(diagnosticsOf(parseFile(yamlOf(['SELECT 1'], 'postgres', { checks })))[0]!.message).toContain(
    'BEGIN on PostgreSQL',
  );
  const statements = { one: { text: 'SELECT :a', parameters: { a: { type: 'query', text: 'COMMIT' } } } };
  expect(diagnosticsOf(parseFile(yamlOf([], 'sqlite', { statements })))[0]!.message).toContain('COMMIT on SQLite');
});
