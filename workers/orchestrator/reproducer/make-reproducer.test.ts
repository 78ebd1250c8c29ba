import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { commonStatement } from '#engines/shared/sql/statements.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { createGenerator } from '#runner/generator/generator.ts';
import { createPermutation } from '#runner/generator/permutation.ts';
import { createKeyChoice } from '#runner/workload/key-choice.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { columnMakers } from './column-makers.ts';
import { makeReproducer, reproducerAnswers } from './make-reproducer.ts';
import { nodeGenerator } from './node-generator.ts';
import { singleParts, statementParts, textOf } from './statement-parts.ts';

const columnsYaml = `
    id: { type: uuid4 }
    later: { type: uuid7 }
    number: { type: sequence, start: 7 }
    whole: { type: integer, min: -50, max: 4000000000 }
    price: { type: decimal, precision: 12, scale: 2, nulls: 0.2 }
    at: { type: timestamp, from: '1960-01-01', to: '2030-01-01' }
    flag: { type: boolean, trueShare: 0.3 }
    fixed: { type: text, length: 21 }
    varied: { type: text, minLength: 0, maxLength: 40, alphabet: hex, nulls: 0.1 }
    words: { type: text, minLength: 3, maxLength: 30, alphabet: unicode }
    bytes: { type: bytes, minLength: 1, maxLength: 33 }
    one: { type: oneOf, values: ["it's", 'a \\ b', 'c'] }`;

const experiment = (more: string, columns = columnsYaml, name = 'Rows', question = 'Which?') => `
dyno: 1
name: ${JSON.stringify(name)}
question: ${JSON.stringify(question)}
dataset:
  rows: 2000
  seed: 5
  key: id
  columns:${columns}
${more}`;

function planOf(yaml: string): Plan {
  const { plan, diagnostics } = planExperiment(parseFile(readYaml(yaml)), planContext());
  if (plan === null) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

interface ScriptGenerator {
  valueOf(column: number, row: number, use?: number): unknown;
  chooseRows(call: number, count: number): readonly number[];
  deleteOrder(position: number): number;
}

test('the generator of scripts makes the values, keys and orders that Dyno makes', () => {
  const { dataset } = planOf(experiment('workload: { operation: insert }\ntargets: [sqlite]')).experiment;
  const makers = columnMakers(dataset);
  if ('cannot' in makers) throw new Error(makers.cannot);
  const columns = Object.values(dataset.columns).map(({ nulls }, c) => ({ maker: makers[c], nulls }));
  const work = { seed: dataset.seed, trialSeed: 1_000_004, loadedRows: dataset.rows };
  const script = new Function('work', 'columns', `${nodeGenerator}\nreturn { valueOf, chooseRows, deleteOrder };`);
  const made = script(work, columns) as ScriptGenerator;
  const generator = createGenerator(dataset);
  const numbers = Float64Array.from([...Array.from({ length: 300 }, (_, i) => i), 4_095, 4_096, 2 ** 32 + 5]);
  const stored = tableColumns(dataset).map(({ type }) =>
    type.kind === 'uuid'
      ? ({ kind: 'bytes', maxLength: 16, fixed: true } as const)
      : type.kind === 'decimal' || type.kind === 'timestamp'
        ? ({ kind: 'bigint' } as const)
        : type,
  );
  for (const [c, vector] of generator.pick(numbers).columns.entries()) {
    const expected = decodeColumn(vector, stored[c]!, numbers.length);
    const values = Array.from(numbers, (row) => made.valueOf(c, row));
    const plain = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);
    expect(values.map(plain)).toEqual(expected.map(plain));
  }
  const choice = createKeyChoice('uniform', dataset.rows, work.trialSeed);
  for (const [call, count] of [
    [0, 1],
    [77, 1],
    [2_000, 40],
    [2 ** 31, 1_999],
  ] as const) {
    const rows = new Float64Array(count);
    choice.choose(call, rows, 0, count);
    expect(made.chooseRows(call, count)).toEqual([...rows]);
  }
  const order = createPermutation(dataset.rows, work.trialSeed, 300);
  for (const position of [0, 1, 1_999]) expect(made.deleteOrder(position)).toBe(order(position));
  const changes = generator.changes(Float64Array.of(3, 9), 2_000, work.trialSeed);
  expect([0, 1].map((r) => (made.valueOf(1, 2_000 + r, 2 + work.trialSeed) as Buffer).toString('hex'))).toEqual(
    decodeColumn(changes.columns[1]!, stored[1]!, 2).map((value) => Buffer.from(value as Uint8Array).toString('hex')),
  );
});

test('a statement for any number of rows is put together from its parts, or is refused', () => {
  const table = { name: 't', columns: tableColumns({ columns: {} }), key: null, options: {} };
  const columns = ['a', 'b'].map((name) => ({ name, type: { kind: 'bigint' } as const, nullable: false }));
  const { sql } = commonStatement({ ...table, columns }, 'insert', { rangeRows: 1 }, { target: 't', quote: (n) => n });
  const place = (row: number, column: number) => `:${row}_${column}`;
  const parts = statementParts(sql)!;
  expect(textOf(parts, 5, place)).toBe(sql(5, place));
  expect(textOf(singleParts(sql), 1, place)).toBe(sql(1, place));
  expect(statementParts((rows, at) => `${sql(rows, at)}${rows}`)).toBeNull();
  expect(
    textOf(
      singleParts(() => 'SELECT 1'),
      1,
      place,
    ),
  ).toBe('SELECT 1');
});

const hostile = 'x */ process.exit(7) // $(rm) `id` \\u002a/ --> \' " ; \\! ls <!--';

test('names of an untrusted file stay in comments and literals', async () => {
  const columns = `
    id: { type: sequence }
    one: { type: oneOf, values: [${JSON.stringify(hostile)}, "two\\u2028lines\\n process.exit(8)"] }`;
  const plan = planOf(
    experiment(
      `workload: { operation: insert }
factors: { kind: { ${JSON.stringify(`${hostile} 1`)}: { method: prepared }, other: { method: literal } } }
targets: [{ name: ${JSON.stringify(hostile)}, engine: postgres, host: h, user: u }]`,
      columns,
      hostile,
      `${hostile}\nprocess.exit(9)\r\u2028process.exit(10)`,
    ),
  );
  const measured = () => ({
    server: `1\nprocess.exit(11) ${hostile}`,
    drivers: { pg: '8.1.0; rm -rf /' },
    sentences: [`${hostile}\u0085process.exit(12)`],
  });
  const script = await makeReproducer(plan, { measured });
  const head = script.slice(0, script.indexOf('\n\nimport '));
  for (const line of head.split(/[\n\r\u0085\u2028\u2029]/)) expect(line).toMatch(/^\/\//);
  expect(head).not.toMatch(/[\\`$*]|<!--|-->|rm -rf/);
  expect(head).toMatch(/npm install pg$/m);
  const code = script.slice(head.length);
  const values = /^const columns = (\[[\s\S]*?\n\]);$/m.exec(code)?.[1];
  expect(JSON.parse(values ?? '')[1].maker.values[0]).toBe(hostile);
  expect(code.replace(values!, '')).not.toContain('process.exit');
  expect(code).not.toMatch(/[^\x20-\x7e\n]/);
  expect(() => stripTypeScriptTypes(script)).not.toThrow();
});

test('values of a hostile run file that would become words of SQL are refused', async () => {
  const plan = planOf(experiment('workload: { operation: insert }\ntargets: [embedded-postgres]'));
  const [variant] = plan.variants;
  const options = { 'postgres.toastCompression': 'lz4); DROP TABLE mine; --' };
  const hostileRun = { ...plan, variants: [{ ...variant!, settings: { ...variant!.settings, options } }] };
  await expect(makeReproducer(hostileRun, {})).rejects.toThrow(/cannot: .*toastCompression/);
  const yaml = experiment('workload: { operation: insert }\ntargets: [{ name: own, engine: sqlite, path: /tmp/x }]');
  const files = planOf(yaml);
  const target = { name: 'own', engine: 'sqlite', path: '/tmp/x', cacheKib: '1; DROP TABLE mine' };
  const withTarget = { ...files, experiment: { ...files.experiment, targets: [target] } };
  await expect(makeReproducer(withTarget, {})).rejects.toThrow(/cannot: .*cacheKib/);
});

test('what a script would not repeat is refused with the reason', async () => {
  const lines = async (workload: string, more = '', columns = columnsYaml) =>
    (
      await reproducerAnswers(
        planOf(experiment(`workload: ${workload}\n${more}\ntargets: [embedded-postgres]`, columns)),
      )
    ).map(({ cannot }) => cannot);
  expect(await lines('{ operation: insert, method: prepared }')).toEqual([null]);
  for (const [workload, reason] of [
    ['{ operation: insert, method: bulk }', 'COPY'],
    ['{ operation: insert, method: pipelined }', 'several in flight'],
    ['{ operation: readRange }', 'reads of ranges'],
    ['{ operation: readByKey, keyDistribution: zipf }', 'Key distribution'],
    ['{ operation: insert, processes: 2, connections: 2 }', 'Processes'],
    ['{ operation: insert, thinkMs: 5 }', 'think time'],
    ['{ operation: insert, isolation: serializable }', 'Isolation'],
    ['{ operation: insert, networkRoundTripMs: 5 }', 'round trip'],
    ['{ operation: insert, keyCreation: afterLoad }', 'before the first row'],
    ['{ operation: update, method: multiRow, rowsPerCall: 5 }', 'first row of another form'],
  ] as const)
    expect(await lines(workload), workload).toEqual([expect.stringMatching(new RegExp(reason, 'i'))]);
  expect(await lines('{ operation: insert }', 'session: { postgres: { work_mem: 9MB } }')).toEqual([
    expect.stringContaining('The experiment makes settings'),
  ]);
  const named = '\n    id: { type: sequence }\n    name: { type: name, what: person }';
  expect(await lines('{ operation: insert }', '', named)).toEqual([expect.stringContaining('the type name')]);
});
