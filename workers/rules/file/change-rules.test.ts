import { describe, expect, it } from 'vitest';
import { levelsYaml, usualLevels } from '#experiment/schema/levels.fixture.ts';
import { placeInSize } from '#experiment/schema/sizes.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { writtenOut } from '#experiment/yaml/written-out.ts';
import { readYaml, type YamlSource } from '#experiment/yaml/yaml-source.ts';
import { readDataset } from '../dataset-file.ts';
import { parseFile } from '../parsed-file.ts';

const text = readYaml(`dyno: 1
name: Sized
question: How large?
dataset:
  rows: 100
  seed: 7
  columns: { id: { type: uuid4 }, payload: { type: text, minLength: 5, maxLength: 20 } }
workload: { operation: insert, rowsPerCall: 10 }
factors:
  method: [prepared, bind]
targets: [sqlite]
baseline: { method: bind }
measure: { until: { rows: all }, repeats: 5 }
sizes:
  big:
    note: Takes a day.
    dataset: { rows: 5000, columns: { payload: { type: text, length: 9 } } }
    factors: { connections: [1, 2] }
    measure: { timeoutSeconds: 900 }
  far: { workload: { networkRoundTripMs: 50 } }
`);
const inSize = (name: string) => parseFile(setIn(text, ['size'], name));
const messages = (from: string | YamlSource) =>
  parseFile(from).diagnostics.map(({ path, message }) => `${path}: ${message}`);

describe('sizes', () => {
  it('change what they name, and nothing else', () => {
    const { experiment, diagnostics } = inSize('big');
    expect(diagnostics).toEqual([]);
    expect(experiment).toMatchObject({ size: 'big', factors: { method: ['prepared', 'bind'], connections: [1, 2] } });
    expect(experiment?.dataset).toMatchObject({ rows: 5000, seed: 7, columns: { id: { type: 'uuid4' } } });
    // A size replaces columns as a whole: the old column's lengths are gone.
    expect(experiment?.dataset.columns.payload).toEqual({ ...experiment?.dataset.columns.payload, length: 9 });
    expect(experiment?.dataset.columns.payload).not.toHaveProperty('maxLength');
    expect(experiment?.measure).toMatchObject({ repeats: 5, until: { rows: 'all' }, timeoutSeconds: 900 });
    expect(experiment?.workload).toEqual({ operation: 'insert', rowsPerCall: 10 });
  });

  it('change parameters of statements as wholes, and only of those that there are', () => {
    const own = (size: string) => `dyno: 1
name: Own
question: How far back?
workload: { operation: statement }
statements:
  look:
    text: SELECT :since AS since, :most AS most
    parameters: { since: { type: integer, min: 5, max: 9, distribution: zipf }, most: { type: integer, min: 1, max: 2 } }
targets: [sqlite]
sizes: { far: { statements: ${size} } }
size: far
`;
    const { experiment, diagnostics } = parseFile(
      own('{ look: { parameters: { since: { type: integer, min: 0, max: 3 } } } }'),
    );
    expect(diagnostics).toEqual([]);
    expect(experiment?.statements?.look?.parameters).toMatchObject({ since: { min: 0, max: 3 }, most: { min: 1 } });
    expect(experiment?.statements?.look?.parameters.since).not.toMatchObject({ distribution: 'zipf' });
    expect(messages(own('{ lok: { parameters: {} } }'))).not.toEqual([]);
  });

  it('leave the file as it is where none is chosen', () => {
    const { experiment } = parseFile(text);
    expect(experiment).toMatchObject({ dataset: { rows: 100 }, factors: { method: ['prepared', 'bind'] } });
    expect(experiment?.size).toBeUndefined();
  });

  it('take no defaults with them: what they are silent about is the file’s', () => {
    expect(inSize('far').experiment?.measure.repeats).toBe(5);
    expect(parseFile(text).experiment?.sizes?.big?.measure).toEqual({ timeoutSeconds: 900 });
  });

  it('that do not exist are an error with the nearest word', () => {
    const { experiment, diagnostics } = inSize('bigg');
    expect(experiment).toBeNull();
    expect(diagnostics).toMatchObject([{ path: 'size', suggestion: 'Did you mean `big`?' }]);
  });

  it('are checked though none is chosen, each mistake at its place and once', () => {
    expect(messages(setIn(text, ['sizes', 'big', 'factors', 'conections'], [1]))).toEqual([
      'sizes.big.factors.conections: `conections` is not a setting, so a list of levels cannot vary it.',
    ]);
    expect(messages(setIn(text, ['sizes', 'big', 'dataset', 'row'], 1))).toEqual([
      'sizes.big.dataset.row: Unknown key `row` in `sizes.big.dataset`.',
    ]);
    // An error of the file itself is not reported for its sizes.
    expect(messages(setIn(text, ['baseline', 'method'], 'bulk'))).toEqual([
      'baseline.method: `method` has no level `bulk`. Ratios will refer to the default baseline.',
    ]);
  });

  it('are what previews show', () => {
    expect(readDataset(setIn(text, ['size'], 'big')).dataset?.rows).toBe(5000);
  });
});

describe('an experiment made from another', () => {
  it('has what the chosen size says, and no sizes or published figures of its own', () => {
    const published = setIn(text, ['published'], [{ source: 'A', of: 'rate', values: [{ label: 'a', value: 1 }] }]);
    const made = parseFile(writtenOut(setIn(published, ['size'], 'big'))).experiment;
    const { size: _, sizes: __, ...rest } = inSize('big').experiment!;
    expect(made).toEqual(rest);
    expect(writtenOut(writtenOut(published)).text).toBe(writtenOut(published).text);
  });
});

describe('changing a file whose size is chosen', () => {
  const sized = setIn(text, ['size'], 'big');

  it('changes what the size says where the size says it, else the file', () => {
    const place = (...path: (string | number)[]) => placeInSize(sized.value, path).join('.');
    expect(place('dataset', 'rows')).toBe('sizes.big.dataset.rows');
    expect(place('dataset', 'columns', 'payload', 'length')).toBe('sizes.big.dataset.columns.payload.length');
    expect(place('dataset', 'columns', 'payload', 'nulls')).toBe('sizes.big.dataset.columns.payload.nulls');
    expect(place('factors', 'connections', 2)).toBe('sizes.big.factors.connections.2');
    expect(place('dataset', 'seed')).toBe('dataset.seed');
    expect(place('factors', 'method')).toBe('factors.method');
    expect(placeInSize(text.value, ['dataset', 'rows'])).toEqual(['dataset', 'rows']);
    const indexed = { size: 'big', sizes: { big: { dataset: { indexes: [{ columns: ['id'] }] } } } };
    expect(placeInSize(indexed, ['dataset', 'indexes', 0, 'kind']).join('.')).toBe('sizes.big.dataset.indexes.0.kind');
  });

  it('is what --set does', () => {
    const { experiment } = parseFile(applyOverrides(sized, ['dataset.rows=9', 'measure.repeats=1']));
    expect(experiment).toMatchObject({
      dataset: { rows: 9 },
      measure: { repeats: 1 },
      sizes: { big: { dataset: { rows: 9 } } },
    });
  });
});

describe('levels that change sections of the file', () => {
  it('add no index to a table of the user', () => {
    const levels = '{ a: {}, b: { tables: { mine: { indexes: [{ columns: [city] }] } } } }';
    expect(parseFile(levelsYaml(levels, 'targets: [sqlite]\n')).diagnostics).toMatchObject([
      {
        path: 'factors.search.b.tables.mine.columns',
        suggestion: expect.stringContaining('changes no table of yours'),
      },
    ]);
  });

  const problems = (levels: string, more = '') =>
    parseFile(levelsYaml(levels, `${more}targets: [sqlite]\n`)).diagnostics.map(
      ({ line, path, message }) => `${line} ${path}: ${message}`,
    );

  it('are valid where each combination is', () => {
    expect(problems(usualLevels)).toEqual([]);
  });

  it('have mistakes at their places in the level, each once', () => {
    expect(
      problems(`
    a: {}
    b: { tables: { sales: { indxes: [] } } }
    c: { tables: { sales: { indexes: [{ columns: [nothing] }] } } }
    d: { tables: { goods: { rows: 5 } } }
    e: { measure: { repeats: 3 } }`),
    ).toEqual([
      expect.stringMatching(/^18 factors\.search\.b\.tables\.sales\.indxes: Unknown key `indxes`/),
      expect.stringMatching(/^19 factors\.search\.c\.tables\.sales\.indexes\[0\]\.columns\[0\]: .*`nothing`/),
      expect.stringMatching(/^20 factors\.search\.d\.tables\.goods\.columns: The key `columns` is missing/),
      expect.stringMatching(/^21 factors\.search\.e\.measure: Unknown key `measure`/),
    ]);
  });

  it('are judged in combination, and the level that sets the place is named', () => {
    const column = '{ extra: { tables: { sales: { columns: { extra: { type: integer } } } } }, none: {} }';
    const index = '  indexes: { on: { tables: { sales: { indexes: [{ columns: [extra] }] } } }, off: {} }\n';
    expect(problems(column, index)).toEqual([
      expect.stringMatching(/^17 factors\.indexes\.on\.tables\.sales\.indexes\[0\]\.columns\[0\]: .*`extra`/),
    ]);
  });

  it('do not change one place by two factors, nor a part of it', () => {
    const text = (value: string) => `{ on: { statements: { search: { text: ${value} } } }, off: {} }`;
    for (const [one, other] of [
      ['SELECT 1', 'SELECT 2'],
      ['{ oracle: SELECT 1 }', 'SELECT 2'],
      ['SELECT 1', '{ oracle: SELECT 2 }'],
    ] as const)
      expect(problems(text(one), `  texts: ${text(other)}\n`)).toContainEqual(
        expect.stringMatching(/factors\.texts: `statements\.search\.text.*` is changed by `search` already\./),
      );
    expect(
      problems(text('{ oracle: SELECT 1 }'), `  texts: ${text('{ mysql: SELECT 2 }')}\n`).filter((one) =>
        one.includes('already'),
      ),
    ).toEqual([]);
  });

  it('are checked in sizes, too', () => {
    const sizes = 'sizes: { far: { factors: { search: { c: { tables: { sales: { key: nothing } } } } } } }\n';
    expect(problems(usualLevels, sizes)).toEqual([
      expect.stringMatching(/sizes\.far\.factors\.search\.c\.tables\.sales\.key: /),
    ]);
  });

  it('are no more than can be checked', () => {
    const factor = (n: number) =>
      `  f${n}: { ${Array.from({ length: 5 }, (_, i) => `l${i}: { tables: { t${n}: { rows: ${i + 1}, columns: { a: { type: integer } } } } }`).join(', ')} }\n`;
    expect(problems('{ a: {} }', [0, 1, 2].map(factor).join(''))).toEqual([
      expect.stringContaining('multiply to 125 experiments; 100 are the most.'),
    ]);
  });

  it('are fewer in a long file with many sizes', () => {
    const columns = Array.from({ length: 900 }, (_, i) => `c${i}: { type: integer, min: 1, max: 5 }`).join(', ');
    const tables = (n: number) => `{ tables: { big: { rows: ${n}, columns: { ${columns} } } } }`;
    const sizes = Array.from({ length: 20 }, (_, i) => `s${i}: { measure: { repeats: ${i + 1} } }`).join(', ');
    expect(problems(`{ a: ${tables(1)}, b: ${tables(2)}, c: ${tables(3)} }`, `sizes: { ${sizes} }\n`)).toEqual([
      expect.stringContaining('multiply to 3 experiments; 2 of a file of this length with these sizes are the most.'),
    ]);
  });

  it('fix a mistake in the level', () => {
    const { diagnostics } = parseFile(
      levelsYaml('{ a: {}, b: { tables: { sales: { rows: "5" } } } }', 'targets: [sqlite]\n'),
    );
    expect(diagnostics.map(({ fix }) => fix)).toEqual([
      { kind: 'set', path: ['factors', 'search', 'b', 'tables', 'sales', 'rows'], value: 5 },
    ]);
  });
});
