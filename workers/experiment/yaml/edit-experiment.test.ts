import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Path } from '#model/text/path-text.ts';
import { setIn } from './edit-experiment.ts';
import { readYaml } from './yaml-source.ts';

const edited = (text: string, path: Path, value: unknown): string => setIn(readYaml(text), path, value).text;

const text = `# The first line.
dyno: 1
name: Small   # aligned on purpose

# Before the dataset.
dataset:
  rows:    100   # few
  columns:
    id: { type: uuid4 }     # the key

    payload: { type: text, length: 20 }
workload: {operation: insert}
factors:
  connections: [1, 2, 4]   # levels
  method:
    - bind      # first
    - bulk
targets: [sqlite]
# The last line.
`;

/** Lines that differ, as "-old" and "+new". */
function difference(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
}

describe('setting a value in the text of an experiment', () => {
  it('swaps a single value without touching a blank or a comment', () => {
    expect(difference(text, edited(text, ['dataset', 'rows'], 20_000))).toEqual([
      '-  rows:    100   # few',
      '+  rows:    20000   # few',
    ]);
    expect(difference(text, edited(text, ['name'], 'Another'))).toEqual([
      '-name: Small   # aligned on purpose',
      '+name: Another   # aligned on purpose',
    ]);
    expect(difference(text, edited(text, ['factors', 'connections', 1], 8))).toEqual([
      '-  connections: [1, 2, 4]   # levels',
      '+  connections: [1, 8, 4]   # levels',
    ]);
    expect(difference(text, edited(text, ['workload', 'operation'], 'scan'))).toEqual([
      '-workload: {operation: insert}',
      '+workload: {operation: scan}',
    ]);
  });

  it.each([
    'a: b',
    '- x',
    '[1]',
    '{',
    '#no',
    'x #y',
    '12',
    'true',
    'noop',
    '',
    ' ',
    "it's",
    'say "hi"',
    'a\nb',
    'Ünï ✓',
    '*a',
    '&a',
    '%',
    '@',
    '1,5',
    'yes',
    '~',
    '2020-01-01',
    '\u0000',
    'a, b]',
  ])('writes %j so that it is read back as the same text', (value) => {
    for (const path of [['name'], ['workload', 'operation'], ['factors', 'connections', 0], ['about']])
      expect(parse(edited(text, path, value))).toMatchObject(path[0] === 'name' ? { name: value } : {});
    expect(parse(edited(text, ['factors', 'connections', 0], value)).factors.connections[0]).toBe(value);
    expect(parse(edited(text, ['about'], value)).about).toBe(value);
  });

  it('keeps comments of the items that stay, when a list or mapping is set as a whole', () => {
    const result = edited(text, ['factors', 'method'], ['prepared', 'bind', 'bulk']);
    expect(result).toMatch(/- bind\s+# first/);
    expect(parse(result).factors.method).toEqual(['prepared', 'bind', 'bulk']);
    const columns = edited(text, ['dataset', 'columns'], {
      payload: { type: 'text', length: 20 },
      id: { type: 'uuid7' },
      n: { type: 'integer' },
    });
    expect(columns).toMatch(/id: \{ type: uuid7 \}\s+# the key/);
    expect(columns).toContain('n: { type: integer }');
    expect(Object.keys(parse(columns).dataset.columns)).toEqual(['payload', 'id', 'n']);
  });

  it('leaves every other section byte for byte as it was', () => {
    const result = edited(text, ['dataset', 'seed'], 7);
    expect(result).toContain('name: Small   # aligned on purpose\n\n# Before the dataset.\n');
    expect(result).toContain('workload: {operation: insert}\n');
    expect(result).toContain('  connections: [1, 2, 4]   # levels\n');
    expect(result.endsWith('targets: [sqlite]\n# The last line.\n')).toBe(true);
  });

  it('makes what is missing on the way, adds a section at the end, and appends to lists', () => {
    expect(parse(edited(text, ['measure', 'repeats'], 5)).measure).toEqual({ repeats: 5 });
    expect(edited(text, ['measure', 'repeats'], 5).startsWith(text.slice(0, -'\n# The last line.\n'.length))).toBe(
      true,
    );
    expect(parse(edited(text, ['targets', 1], 'x')).targets).toEqual(['sqlite', 'x']);
    expect(parse(edited('', ['dataset', 'rows'], 1))).toEqual({ dataset: { rows: 1 } });
    expect(parse(edited('dyno: 1\nfactors:\n', ['factors', 'method'], ['bind']))).toEqual({
      dyno: 1,
      factors: { method: ['bind'] },
    });
  });

  it('writes new lists of single values and small mappings on one line', () => {
    expect(edited(text, ['factors', 'rowsPerCall'], [1, 10])).toContain('  rowsPerCall: [1, 10]\n');
    expect(edited(text, ['dataset', 'columns', 'n'], { type: 'integer', max: 9 })).toContain(
      '    n: { type: integer, max: 9 }\n',
    );
  });

  it('removes a value, and a section, and nothing else', () => {
    expect(difference(text, edited(text, ['targets'], undefined))).toEqual(['-targets: [sqlite]']);
    expect(parse(edited(text, ['factors', 'method'], undefined)).factors).toEqual({ connections: [1, 2, 4] });
    expect(edited(text, ['measure', 'repeats'], undefined)).toBe(text);
  });

  it('puts a new section in its place, as far from the others as they are from each other', () => {
    const apart = 'dyno: 1\nname: Small\n\ndataset:\n  rows: 1\n\ntargets: [sqlite]\n\nmeasure:\n  repeats: 2\n';
    expect(edited(apart, ['factors', 'method'], ['bind', 'bulk'])).toBe(
      apart.replace('targets:', 'factors:\n  method: [bind, bulk]\n\ntargets:'),
    );
    const close = apart.replaceAll('\n\n', '\n');
    expect(edited(close, ['factors', 'method'], ['bind', 'bulk'])).toBe(
      close.replace('targets:', 'factors:\n  method: [bind, bulk]\ntargets:'),
    );
    expect(edited(apart, ['dataset'], undefined)).toBe(apart.replace('dataset:\n  rows: 1\n\n', ''));
  });

  it('writes a long text as a block, and leaves the texts around it as they are', () => {
    const statements = `dyno: 1
statements:
  look-up: { text: SELECT 1 }
  sum:
    text:
      default: >-
        SELECT sum(a)
        FROM {table}
      postgres: SELECT 1
`;
    const lines = 'SELECT a\nFROM {table}\nWHERE id = :id';
    const literal = '|-\n      SELECT a\n      FROM {table}\n      WHERE id = :id\n';
    expect(edited(statements, ['statements', 'look-up', 'text'], lines)).toBe(
      statements.replace('{ text: SELECT 1 }', `\n    text: ${literal}`.trimEnd()).replace('look-up: ', 'look-up:'),
    );
    const long = `SELECT ${Array.from({ length: 30 }, (_, i) => `column${i}`).join(', ')} FROM {table}`;
    const folded = edited(statements, ['statements', 'sum', 'text', 'postgres'], long);
    expect(folded.startsWith(statements.slice(0, statements.indexOf('postgres:')))).toBe(true);
    expect(folded).toMatch(/postgres: >-\n {8}SELECT column0, .*\n {8}column/);
    expect(Math.max(...folded.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120);
    expect(parse(folded).statements.sum.text.postgres).toBe(long);
    const json = '{ "find": "{table}" }';
    expect(edited(statements, ['statements', 'sum', 'text', 'postgres'], json)).toContain(`postgres: '${json}'`);
  });

  it('removes a key together with the comment directly above it', () => {
    const commented = 'dyno: 1\ndataset:\n  # Few.\n  rows: 1\n  # Any.\n  seed: 2\n  # The end.\nname: Small\n';
    expect(edited(commented, ['dataset', 'seed'], undefined)).toBe(commented.replace('  # Any.\n  seed: 2\n', ''));
  });

  it('removes a section of a file that begins with a comment, and leaves the other lines as they are', () => {
    const headed = '# A title.\n\ndyno: 1\nname:   Small\n# Once.\nmeasure:\n  repeats: 2\ntargets: [sqlite]\n';
    expect(edited(headed, ['measure'], undefined)).toBe(headed.replace('# Once.\nmeasure:\n  repeats: 2\n', ''));
  });

  it('keeps Windows line ends', () => {
    const windows = text.replaceAll('\n', '\r\n');
    for (const result of [edited(windows, ['dataset', 'seed'], 7), edited(windows, ['dataset', 'rows'], 7)])
      expect(result.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('refuses broken text and paths that lead nowhere', () => {
    expect(() => edited('a: [', ['a'], 1)).toThrow(/line 1/);
    expect(() => edited(text, ['dataset', 'rows', 'x'], 1)).toThrow(/`dataset\.rows` is a single value/);
    expect(() => edited(text, ['targets', 5], 'x')).toThrow(/list of 1/);
    expect(() => edited(text, ['targets', 'x'], 1)).toThrow(/list of 1/);
    expect(() => edited('a: &x {b: 1}\nc: *x', ['c', 'b'], 2)).toThrow(/\*x/);
    expect(() => edited(text, [], 1)).toThrow(/empty/);
  });

  it('gives back whatever was set, and everything else unchanged', () => {
    const single = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    );
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    const value = fc.oneof(
      single,
      fc.array(single, { maxLength: 4 }),
      fc.dictionary(name, fc.oneof(single, fc.dictionary(name, single, { maxKeys: 3, noNullPrototype: true })), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    );
    const path = fc.constantFrom<(string | number)[]>(
      ['name'],
      ['about'],
      ['dataset', 'rows'],
      ['dataset', 'columns'],
      ['dataset', 'columns', 'payload', 'length'],
      ['dataset', 'columns', 'x'],
      ['workload', 'method'],
      ['factors', 'connections'],
      ['factors', 'method', 1],
      ['factors', 'connections', 3],
      ['factors'],
      ['targets', 0],
      ['measure', 'seed'],
    );
    fc.assert(
      fc.property(path, value, (at, set) => {
        const expected = structuredClone(parse(text));
        at.slice(0, -1).reduce((node, step) => (node[step] ??= {}), expected)[at.at(-1)!] = set;
        expect(parse(edited(text, at, set))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
