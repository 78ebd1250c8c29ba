import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toErrorData } from '#model/error.ts';
import { applyOverrides } from './overrides.ts';
import { readYaml } from './yaml-source.ts';

const changed = (text: string, assignments: readonly string[]): string =>
  applyOverrides(readYaml(text), assignments).text;

const text = `dyno: 1
name: Small
dataset:
  rows: 100 # few
  columns: { id: { type: uuid4 }, payload: { type: text, length: 20 } }
workload: { operation: insert }
factors:
  method: [bind]
  batching: { one row: { method: bind } }
targets: [sqlite, { name: pg, engine: postgres, host: db }]
measure: { repeats: 3 }
`;
const overridden = (...assignments: string[]) => parse(changed(text, assignments));

describe('--set path=value', () => {
  it('sets typed values and keeps comments', () => {
    expect(changed(text, ['dataset.rows=20000'])).toBe(text.replace('100', '20000'));
    expect(overridden('measure.until.seconds=0.5', 'measure.repeats = 7').measure).toEqual({
      repeats: 7,
      until: { seconds: 0.5 },
    });
    expect(overridden('dataset.columns.payload={ type: text, maxLength: 9 }').dataset.columns.payload).toEqual({
      type: 'text',
      maxLength: 9,
    });
    expect(overridden('targets[1].port=5433').targets[1]).toEqual({
      name: 'pg',
      engine: 'postgres',
      host: 'db',
      port: 5433,
    });
    expect(overridden('factors.batching["one row"].method=bulk').factors.batching).toEqual({
      'one row': { method: 'bulk' },
    });
  });

  it('takes lists with and without brackets, and one level for a list of one', () => {
    expect(overridden('factors.method=bulk, prepared').factors.method).toEqual(['bulk', 'prepared']);
    expect(overridden('factors.connections=[1, 8]').factors.connections).toEqual([1, 8]);
    expect(overridden('factors.connections=4').factors.connections).toEqual([4]);
    expect(overridden('targets=sqlite,null').targets).toEqual(['sqlite', 'null']);
  });

  it('takes text as it is written', () => {
    expect(overridden('name=A: new [name] # 5').name).toBe('A: new [name] # 5');
    expect(overridden('name=5').name).toBe('5');
    expect(overridden('question="Quoted?"').question).toBe('Quoted?');
  });

  it('removes an entry when nothing is given', () => {
    expect(overridden('factors.batching=').factors).toEqual({ method: ['bind'] });
    expect(overridden('measure=')).not.toHaveProperty('measure');
  });

  it.each([
    ['datset.rows=1', /`datset` is unknown/, 'Did you mean `dataset.rows`?'],
    ['dataset.row=1', /`row` is unknown/, 'Did you mean `dataset.rows`?'],
    ['dataset.columns.paylod.length=4', /`paylod` is unknown/, 'Did you mean `dataset.columns.payload.length`?'],
    ['dataset.columns.payload.lenght=4', /`lenght` is unknown/, 'Did you mean `dataset.columns.payload.length`?'],
    [
      'workload.options.postgres.foo=1',
      /`postgres` is unknown/,
      'There is nothing yet. A name with a dot stands in brackets: workload.options["postgres.foo"].',
    ],
    ['dataset.rows.x=1', /no `x` below `dataset\.rows`/, 'Set `dataset.rows` itself.'],
    ['targets.sqlite=1', /no `sqlite` below `targets`/, '`targets` is a list: write targets[0].'],
    ['dataset[0]=1', /not a list/, null],
    ['targets[9]=x', /list of 2/, null],
    ['dataset.rows', /not an assignment/, null],
    ['=5', /not an assignment/, null],
    ['dataset..rows=5', /not a path/, null],
    ['factors.method=[bind', /cannot be read/, null],
  ])('refuses %s and says what would be right', (assignment, message, hint) => {
    expect.assertions(hint === null ? 2 : 3);
    try {
      changed(text, [assignment]);
    } catch (thrown) {
      const error = toErrorData(thrown);
      expect(error.kind).toBe('badInput');
      expect(error.message).toMatch(message);
      if (hint !== null) expect(error.hint).toBe(hint);
    }
  });
});

it.each([
  ['dataset.rows=100k', 'rows: 100000'],
  ['dataset.rows=1,5M', 'rows: 1500000'],
  ['dataset.rows=1 000 000', 'rows: 1000000'],
  ['measure.warmupSeconds=500ms', 'warmupSeconds: 0.5'],
  ['measure.warmupSeconds=0,5', 'warmupSeconds: 0.5'],
  ['measure.until.seconds=1 min 30 s', 'seconds: 90'],
  ['workload.thinkMs=2s', 'thinkMs: 2000'],
  ['factors.rowsPerCall=1k,10k', 'rowsPerCall: [1000, 10000]'],
  ['measure.until.rows=all', 'rows: all'],
])('a number is read as a person wrote it: %s', (assignment, wanted) => {
  expect(changed(text, [assignment])).toContain(wanted);
});

it.each([
  ['dataset.rows=1.000', 'write 1000, or 1.'],
  ['dataset.rows=1,000', 'write 1000, or 1.'],
  ['measure.warmupSeconds=1.250', 'write 1250, or 1.25.'],
  ['factors.rowsPerCall=1,000', '“000” begins with zeros.'],
  ['factors.rowsPerCall=[1,000]', '“000” begins with zeros.'],
  ['dataset.rows=many', '“many” is not understood.'],
  ['measure.warmupSeconds=5m', '“m” has several meanings.'],
])('a number with two meanings, or none, is refused: %s', (assignment, reason) => {
  expect(() => changed(text, [assignment])).toThrow(reason);
});
