import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { experimentSchema } from '#experiment/schema/experiment.ts';
import { applyFix } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { shapeOf } from '#model/shape.ts';
import { plannedMeasure } from '#planning/planned-measure.ts';
import { formatRepeats } from '#planning/repeats.ts';
import { checkShape } from './file/check-shape.ts';
import { parseFile } from './parsed-file.ts';

const good = `
dyno: 1
name: Small
question: Which?
dataset:
  rows: 100
  key: id
  columns:
    id: { type: uuid4 }
    payload: { type: text, length: 20 }
workload: { operation: insert }
factors:
  connections: [1, 2]
  method:
    a: { method: bind }
    b: { method: multiRow, rowsPerCall: 10 }
targets: [sqlite]
baseline: { method: a, connections: 1, target: sqlite }
`.trimStart();

const diagnose = (text: string) => parseFile(text).diagnostics;
const withoutBaseline = good.replace(/^baseline:.*\n/m, '');
/** The valid file with one short piece replaced. */
const spoilt = (from: string, to: string) => {
  const base = withoutBaseline.includes(from) ? withoutBaseline : good;
  expect(base).toContain(from);
  return base.replace(from, to);
};

describe('a good experiment', () => {
  it('parses without a word, with defaults filled in', () => {
    const { experiment, diagnostics } = parseFile(good);
    expect(diagnostics).toEqual([]);
    expect(experiment).toMatchObject({
      name: 'Small',
      dataset: {
        rows: 100,
        seed: 1,
        columns: { payload: { type: 'text', length: 20, alphabet: 'alphanumeric', nulls: 0 } },
      },
      measure: { warmupSeconds: 1, timeoutSeconds: 600, order: 'interleaved', seed: 1 },
    });
  });
});

it('takes the no-op engine as a target without quotes', () => {
  const { experiment, diagnostics } = parseFile(
    withoutBaseline.replace('targets: [sqlite]', 'targets: [noop, sqlite]'),
  );
  expect(diagnostics).toEqual([]);
  expect(experiment?.targets).toEqual(['noop', 'sqlite']);
});

describe('the fix of a problem', () => {
  it.each([
    ['workload: { operation: insert }', 'workload: { opperation: insert }'],
    ['operation: insert', 'operation: inserts'],
    ['rows: 100\n', 'rows: 100_0x\n'],
    ['method: multiRow', 'method: multirow'],
    ['dyno: 1', 'dyno: "1"'],
  ])('makes %s of %s', (right, wrong) => {
    const text = spoilt(right, wrong);
    const [problem, ...others] = diagnose(text);
    expect(others).toEqual([]);
    const fix = problem!.fix;
    if (wrong.includes('0x')) {
      expect(fix).toBeUndefined();
      return;
    }
    expect(applyFix(readYaml(text), fix!).text).toBe(text.replace(wrong, right));
  });

  it('sets the nearest allowed number, and the plain number that was meant', () => {
    const fixed = (wrong: string) => applyFix(readYaml(wrong), diagnose(wrong)[0]!.fix!).text;
    expect(fixed(spoilt('rows: 100\n', 'rows: 20k\n'))).toContain('rows: 20000\n');
    expect(fixed(spoilt('rowsPerCall: 10 ', 'rowsPerCall: 0 '))).toContain('rowsPerCall: 1 ');
  });

  it.each([
    ['b: { method: multiRow', ', mysql.compression: page }', ', options: { mysql.compression: page } }'],
    ['operation: insert', ', mysql.compression: page', ', options: { mysql.compression: page }'],
    [
      'operation: insert',
      ', mysql.compression: page, options: { mysql.uuid: text }',
      ', options: { mysql.uuid: text, mysql.compression: page }',
    ],
  ])('moves an option of an engine beside %s into the options', (place, wrong, right) => {
    const rest = place.startsWith('b') ? ', rowsPerCall: 10 }' : '';
    const text = spoilt(place + rest, place + wrong);
    const [problem, ...others] = diagnose(text);
    expect(others).toEqual([]);
    expect(problem!.message).toMatch(/^Unknown key `mysql\.compression`/);
    expect(applyFix(readYaml(text), problem!.fix!).text).toBe(text.replace(wrong, right));
  });

  it('removes the part of a baseline that is gone', () => {
    const text = good.replace('connections: 1, target: sqlite', 'connections: 7, target: sqlite');
    expect(applyFix(readYaml(text), diagnose(text)[0]!.fix!).text).toContain('baseline: { method: a, target: sqlite }');
  });
});

describe('repeats', () => {
  const measure = (text: string) => parseFile(`${good}measure: ${text}`).experiment?.measure;

  it('are a number, or a range with a precision and, if wanted, a budget', () => {
    expect(measure('{ repeats: 7 }')?.repeats).toBe(7);
    expect(measure('{ until: { precision: 0.03 }, repeats: { max: 20 }, budgetSeconds: 1200 }')).toMatchObject({
      repeats: { min: 5, max: 20 },
      budgetSeconds: 1200,
    });
  });

  it('say in words what they are', () => {
    const words = (text: string) => {
      const { experiment } = parseFile(good.replace('targets:', `measure: ${text}\ntargets:`));
      return formatRepeats({ measure: plannedMeasure(experiment!, []), experiment: experiment! }).replaceAll(
        '\u00a0',
        ' ',
      );
    };
    expect(words('{ repeats: 1 }')).toBe('1 repeat');
    expect(words('{ until: { precision: 0.025 }, repeats: { min: 3 }, budgetSeconds: 60 }')).toBe(
      '3 to 30 repeats, until intervals are within ± 2.5 %, or 60 s are spent',
    );
  });
});

describe('a mistake in an experiment is reported with its position, the expected value, and the nearest right word:', () => {
  it.each<[string, string, string, RegExp]>([
    [
      'fewer repeats at most than at least, where the file is silent of the least',
      'targets: [sqlite]',
      'measure: { until: { precision: 0.03 }, repeats: { max: 4 } }\ntargets: [sqlite]',
      /^16:56 measure\.repeats\.max At least 5 repeats and at most 4 cannot both be\..*Raise max/,
    ],
    [
      'per cent where a share is meant',
      'targets: [sqlite]',
      'measure: { until: { precision: 3 } }\ntargets: [sqlite]',
      /^16:32 measure\.until\.precision Must be at most 0\.5; found `3`.*0\.03 is ± 3 %/,
    ],
    [
      'a share below none',
      'operation: insert',
      'operation: insert, nullShare: -0.3',
      /^10:43 workload\.nullShare Between −1 and 0 there is no share\..*−1: the share that the dataset defines/,
    ],
    [
      'a budget of a fixed number of repeats',
      'targets: [sqlite]',
      'measure: { repeats: 4, budgetSeconds: 60 }\ntargets: [sqlite]',
      /^16:24 measure\.budgetSeconds A budget limits .*Add precision: 0\.03 to measure\.until/,
    ],
    [
      'a key that belongs one level higher',
      'targets: [sqlite]',
      'measure: { until: { precision: 0.03, budgetSeconds: 60 } }\ntargets: [sqlite]',
      /^16:38 measure\.until\.budgetSeconds Unknown key .*It belongs beside `until`, not into it/,
    ],
    [
      'a published figure below nothing',
      'targets: [sqlite]',
      'targets: [sqlite]\npublished: [{ source: A, of: rate, values: [{ label: a, value: -3 }] }]',
      /value Must be above 0; found `-3`/,
    ],
    [
      'a size that is not there, by names that may have commas',
      'targets: [sqlite]',
      'targets: [sqlite]\nsize: medium\nsizes: { "small, published": {}, published: {} }',
      /size There is no size `medium`\. \| There are: `small, published`, `published`\./,
    ],
    ['no targets, and so none of the baseline’s name', 'sqlite]\nbaseline', ']\nbaseline', /targets` is empty/],
    [
      'less than no time',
      'targets: [sqlite]',
      'measure: { until: { seconds: -1 } }\ntargets: [sqlite]',
      /measure\.until\.seconds Must be at least 0\.1; found `-1`/,
    ],
    [
      'unknown key',
      'operation: insert',
      'operation: insert, conections: 4',
      /^10:32 workload\.conections Unknown key `conections`.*Did you mean `connections`/,
    ],
    [
      'an option of an engine in a level',
      'method: multiRow, rowsPerCall: 10',
      'mysql.compression: page',
      /Unknown key `mysql\.compression` .*Options of engines belong into `factors\.method\.b\.options`\./,
    ],
    [
      'an option of an engine in the table',
      'rows: 100',
      'rows: 100\n  mysql.compression: page',
      /Unknown key `mysql\.compression` in `dataset`.*Options of engines belong into `workload\.options`\./,
    ],
    [
      'a path that has the form of an option',
      'operation: insert',
      'dataset.rows: 5',
      /Unknown key `dataset\.rows`(?!.*Options)/,
    ],
    ['unknown key that hides a required one', 'rows: 100', 'rowz: 100', /^5:3 dataset\.rowz Unknown key.*`rows`/],
    ['unknown top-level key', 'name: Small', 'name: Small\nconstrains: 1', /^3:1 constrains Unknown key/],
    ['missing key', 'question: Which?\n', '', /^1:1 question The key `question` is missing/],
    ['missing version', 'dyno: 1\n', '', /^1:1 dyno The key `dyno` is missing.*Write 1/],
    ['version as text', 'dyno: 1', 'dyno: "1"', /^1:7 dyno Expected the number 1; found the text "1"/],
    ['older version', 'dyno: 1', 'dyno: 0', /^1:7 dyno Expected the number 1/],
    [
      'number with separators',
      'rows: 100',
      'rows: 20_000',
      /^5:9 dataset\.rows Expected a number; found the text "20_000".*20000/,
    ],
    ['number with a unit', 'rows: 100', 'rows: 20k', /plain number: 20000/],
    ['number with two meanings', 'rows: 100', 'rows: 1,000', /write 1000, or 1\./],
    ['decimal comma', 'rows: 100', 'rows: 0,5', /0,5(?!.*plain number: 5)/],
    ['fraction of a row', 'rows: 100', 'rows: 1.5', /whole number/],
    ['no rows', 'rows: 100', 'rows: 0', /^5:9 dataset\.rows Must be at least 1; found `0`/],
    ['negative rows', 'rows: 100', 'rows: -5', /at least 1/],
    ['not-a-number', 'rows: 100', 'rows: .nan', /Expected a number/],
    ['infinite rows', 'rows: 100', 'rows: .inf', /Expected a whole number|at most/],
    ['empty value', 'rows: 100', 'rows:', /^5:3 dataset\.rows `dataset\.rows` has no value/],
    ['wrong word', 'method: bind', 'method: bnd', /^14:18 factors\.method\.a\.method Expected one of .*`bind`/],
    [
      'list for a mapping',
      'workload: { operation: insert }',
      'workload: [insert]',
      /workload` must be keys with values, not a list/,
    ],
    ['empty list for a mapping', 'workload: { operation: insert }', 'workload: []', /must be keys with values/],
    [
      'single value for a factor',
      'connections: [1, 2]',
      'connections: 4',
      /must be a list or keys with values, not `4`/,
    ],
    ['empty factor', 'connections: [1, 2]', 'connections: []', /is empty/],
    ['number as a name', 'name: Small', 'name: 5', /Expected text; found `5`.*quotes/],
    [
      'unknown column type',
      'type: uuid4',
      'type: uuid',
      /^8:17 dataset\.columns\.id\.type Unknown type `uuid`.*Did you mean `uuid4`/,
    ],
    ['column without a type', '{ type: uuid4 }', '{ nulls: 0 }', /has no type/],
    ['column name with capitals', 'payload:', 'PayLoad:', /^9:5 dataset\.columns\.PayLoad .*lower-case/],
    [
      'no columns',
      'columns:\n    id: { type: uuid4 }\n    payload: { type: text, length: 20 }',
      'columns: {}',
      /is empty/,
    ],
    ['text without length', ', length: 20', '', /has no length.*`length: 20`/],
    ['length and maxLength', 'length: 20', 'length: 20, maxLength: 30', /Keep one/],
    ['minLength above maxLength', 'length: 20', 'minLength: 9, maxLength: 3', /minLength 9 is above maxLength 3/],
    ['min above max', 'type: text, length: 20', 'type: integer, min: 9, max: 3', /min 9 is above max 3/],
    ['scale above precision', 'type: text, length: 20', 'type: decimal, precision: 3, scale: 4', /scale 4/],
    ['no such day', 'type: text, length: 20', 'type: timestamp, from: 2020-13-01', /date like|no day/],
    ['from after to', 'type: text, length: 20', 'type: timestamp, from: 2026-01-02, to: 2026-01-01', /not before/],
    ['share above one', 'length: 20', 'length: 20, nulls: 1.5', /at most 1/],
    ['key that is no column', 'key: id', 'key: idd', /^6:8 dataset\.key The key `idd` is not a column.*`id`/],
    [
      'nullable key',
      '{ type: uuid4 }',
      '{ type: uuid4, nulls: 0.1 }',
      /^8:31 dataset\.columns\.id\.nulls .*cannot be null/,
    ],
    ['key that repeats itself', '{ type: uuid4 }', '{ type: integer, min: 1, max: 1000 }', /would repeat itself/],
    [
      'factor that is no setting',
      'connections: [1, 2]',
      'connection: [1, 2]',
      /^12:3 factors\.connection .*not a setting.*`connections`/,
    ],
    [
      'level that does not fit',
      'connections: [1, 2]',
      'connections: [1, 0]',
      /^12:20 factors\.connections\[1\] Must be at least 1/,
    ],
    ['level of the wrong kind', 'connections: [1, 2]', 'connections: [1, many]', /^12:20 .*Expected a number/],
    ['level written twice', 'connections: [1, 2]', 'connections: [1, 1]', /^12:20 .*written twice/],
    ['level that is a list', 'connections: [1, 2]', 'connections: [1, [2]]', /^12:20 .*single value/],
    [
      'setting varied twice',
      'a: { method: bind }',
      'a: { method: bind, connections: 3 }',
      /varied by `connections` already/,
    ],
    ['factor called target', 'connections: [1, 2]', 'target: { a: { processes: 2 } }', /cannot be called `target`/],
    [
      'update without anything to change',
      '    payload: { type: text, length: 20 }\nworkload: { operation: insert }',
      'workload: { operation: update }',
      /column besides the key/,
    ],
    ['no targets', 'targets: [sqlite]', 'targets: []', /is empty/],
    [
      'two targets of a name',
      'targets: [sqlite]',
      'targets: [sqlite, { name: sqlite, engine: sqlite }]',
      /^16:27 targets\[1\]\.name Two targets/,
    ],
    ['the word null as a target', 'targets: [sqlite]', 'targets: [sqlite, null]', /quotes: "null"/],
    [
      'no repeats',
      'targets: [sqlite]',
      'measure: { repeats: 0 }\ntargets: [sqlite]',
      /^16:21 measure\.repeats Must be at least 1.*The number of trials/,
    ],
    [
      'time limit that always strikes',
      'targets: [sqlite]',
      'measure: { until: { seconds: 20 }, timeoutSeconds: 10 }\ntargets: [sqlite]',
      /always run into its time limit/,
    ],
    [
      'an end that says nothing',
      'targets: [sqlite]',
      'measure: { until: {} }\ntargets: [sqlite]',
      /^16:12 measure\.until .*until when\. \| Write \{ seconds: 5 \}/,
    ],
    [
      'an end as a word',
      'targets: [sqlite]',
      'measure: { until: rows }\ntargets: [sqlite]',
      /^16:19 measure\.until .*must be keys with values, not `rows`.*One of \{ seconds: 5 \}, \{ rows: all \}/,
    ],
    [
      'an end beside `until`',
      'targets: [sqlite]',
      'measure: { seconds: 5 }\ntargets: [sqlite]',
      /^16:12 measure\.seconds Unknown key .*It belongs into `until`\./,
    ],
    [
      'a mistyped end',
      'targets: [sqlite]',
      'measure: { until: { secnds: 5 } }\ntargets: [sqlite]',
      /^16:21 measure\.until\.secnds Unknown key .*Did you mean `seconds`/,
    ],
    [
      'rows by another word than all',
      'targets: [sqlite]',
      'measure: { until: { rows: al } }\ntargets: [sqlite]',
      /^16:27 measure\.until\.rows .*Did you mean `all`/,
    ],
    [
      'no rows at all',
      'targets: [sqlite]',
      'measure: { until: { rows: 0 } }\ntargets: [sqlite]',
      /^16:27 measure\.until\.rows Must be at least 1/,
    ],
    [
      'a precision of a fixed number of repeats',
      'targets: [sqlite]',
      'measure: { until: { precision: 0.03 }, repeats: 7 }\ntargets: [sqlite]',
      /^16:49 measure\.repeats .*Write repeats: \{ min: 5, max: 7 \}/,
    ],
    [
      'repeats that may vary without a precision',
      'targets: [sqlite]',
      'measure: { repeats: { max: 9 } }\ntargets: [sqlite]',
      /^16:12 measure\.repeats .*Add precision: 0\.03 to measure\.until/,
    ],
    [
      'two ends of a trial',
      'targets: [sqlite]',
      'measure: { until: { seconds: 3, calls: 5 } }\ntargets: [sqlite]',
      /measure\.until\.calls A trial ends by seconds or by calls, not by both/,
    ],
  ])('%s', (_, from, to, expected) => {
    const { experiment, diagnostics } = parseFile(spoilt(from, to));
    const told = diagnostics.map(
      (d) => `${d.line}:${d.column} ${d.path} ${d.message}${d.suggestion === null ? '' : ` | ${d.suggestion}`}`,
    );
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(expected);
    expect(experiment).toBeNull();
  });

  it.each([
    ['that is no factor', 'method: a, conn', 'metod: a, conn', /^17:13 baseline\.metod .*Did you mean `method`/],
    ['whose level is gone', 'method: a, conn', 'method: c, conn', /^17:21 baseline\.method .*no level `c`/],
    ['whose number is no level', 'connections: 1', 'connections: 3', /connections .*no level `3`.*There are: 1, 2\./],
    [
      'whose target is gone',
      'target: sqlite',
      'target: sqlit',
      /There is no target `sqlit`.*default baseline.*`sqlite`/,
    ],
  ])('a baseline %s, as a warning: there is another', (_, from, to, expected) => {
    const { experiment, diagnostics } = parseFile(spoilt(from, to));
    const told = diagnostics.map((d) => `${d.line}:${d.column} ${d.path} ${d.message} | ${d.suggestion}`);
    expect(diagnostics.map(({ severity }) => severity)).toEqual(['warning']);
    expect(told[0]).toMatch(expected);
    expect(experiment).not.toBeNull();
  });

  it.each(['warmupSeconds', 'warmupRows'])('calls reported one by one ignore %s: a warning', (key) => {
    const { experiment, diagnostics } = parseFile(`${good}measure: { until: { calls: 5 }, ${key}: 2 }\n`);
    expect(diagnostics).toMatchObject([{ severity: 'warning', path: `measure.${key}` }]);
    expect(experiment).not.toBeNull();
  });

  it.each(['readByKey', 'readRange', 'update', 'delete'])('%s without a key to find rows by', (operation) => {
    const text = good.replace('  key: id\n', '').replace('operation: insert', `operation: ${operation}`);
    expect(diagnose(text).map(({ path, message }) => `${path} ${message}`)).toEqual([
      `workload.operation \`${operation}\` finds rows by their primary key, and the dataset has none.`,
    ]);
  });

  it('all of them in one pass, in the order of the file', () => {
    const text = good
      .replace('rows: 100', 'rowz: 100')
      .replace('method: bind', 'method: bnd')
      .replace('target: sqlite', 'target: x');
    const lines = diagnose(text).map(({ line }) => line);
    expect(lines).toEqual([5, 14, 17]);
  });

  it('a file of a newer version says only that, whatever else is unknown in it', () => {
    const found = diagnose(good.replace('dyno: 1', 'dyno: 2\nfuture: true'));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ line: 1, column: 7, path: 'dyno' });
    expect(found[0]?.message).toMatch(/newer version/);
    expect(found[0]?.suggestion).toMatch(/Update Dyno/);
  });

  it('a setting that is fixed and varied is a warning, and the experiment stays usable', () => {
    const { experiment, diagnostics } = parseFile(good.replace('insert', 'insert, connections: 8'));
    expect(diagnostics).toMatchObject([{ severity: 'warning', path: 'workload.connections' }]);
    expect(experiment).not.toBeNull();
  });

  it('more variants than anybody could run are refused, not expanded', () => {
    const many = (from: number) => `[${Array.from({ length: 200 }, (_, i) => from + i).join(', ')}]`;
    const text = good.replace('connections: [1, 2]', `connections: ${many(1)}\n  rangeRows: ${many(1)}`);
    expect(diagnose(text).map(({ message }) => message)).toContainEqual(expect.stringMatching(/80,000 variants/));
  });
});

describe('secrets', () => {
  const withTarget = (target: string) =>
    diagnose(good.replace('targets: [sqlite]', `targets: [{ name: sqlite, engine: x, ${target} }]`));
  const open = 'canary-7391';

  it.each([
    `password: ${open}`,
    'password: 12345',
    `dbPassword: "${open}"`,
    `url: "postgres://me:${open}@db/x"`,
    `url: "postgres://me:\${env:A}${open}@db/x"`,
    `url: "postgres://db/x?user=me&password=${open}"`,
    `connection: "host=db;PWD=${open}"`,
    `more: { token: ${open} }`,
    `list: [{ secret: ${open} }]`,
  ])('in plain text are refused and never repeated: %s', (target) => {
    const found = withTarget(target);
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toMatch(/secret in plain text/);
    expect(found[0]?.suggestion).toContain(`\${env:NAME}`);
    expect(JSON.stringify(found)).not.toContain(open);
  });

  it.each([
    `password: "\${env:PGPASSWORD}"`,
    `url: "postgres://me:\${env:PW}@db/x"`,
    `url: "postgres://me@db:5432/x"`,
    'host: db, port: 5432, ca: /etc/ca.pem',
    'password: ""',
  ])('from the environment, or none at all, are fine: %s', (target) => {
    expect(withTarget(target)).toEqual([]);
  });

  it('placeholders of another kind are explained', () => {
    expect(withTarget(`host: "\${HOST}"`)).toMatchObject([
      { path: 'targets[0].host', suggestion: expect.stringContaining(`\${env:NAME}`) },
    ]);
  });
});

describe('any text at all', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('any'), { maxKeys: 3 }),
    ),
  })).any;

  it('is answered with an experiment or with errors, never with an exception', () => {
    const mutated = fc
      .tuple(fc.nat(good.length), fc.nat(20), fc.string({ maxLength: 20 }))
      .map(([at, cut, put]) => good.slice(0, at) + put + good.slice(at + cut));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), mutated), (text) => {
        const { experiment, diagnostics } = parseFile(text);
        expect(experiment === null).toBe(diagnostics.some(({ severity }) => severity === 'error'));
        const lines = text.split('\n').length;
        for (const { line, column, message } of diagnostics) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(message).not.toBe('');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('that passes the walk passes the schema', () => {
    const base = (parseFile(good).experiment ?? {}) as Record<string, unknown>;
    const paths = ['name', 'dataset', 'workload', 'factors', 'targets', 'baseline', 'measure', 'dyno', 'about'];
    fc.assert(
      fc.property(fc.constantFrom(...paths), value, (path, replaced) => {
        const text = stringify({ ...base, [path]: replaced });
        const read = { ...base, [path]: replaced };
        const problems: unknown[] = [];
        checkShape(shapeOf(experimentSchema), read, [], (problem) => problems.push(problem));
        if (problems.length === 0) expect(v.safeParse(experimentSchema, read).success).toBe(true);
        expect(() => parseFile(text)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});
