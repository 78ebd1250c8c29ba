import { describe, expect, it } from 'vitest';
import { changesText, excerpts } from '#presentation/text/changes-text.ts';
import { fixtureRun } from '../run-model/run.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { whatChanged } from './what-changed.ts';

const model = fixtureRun({ connections: [1] });
const experiment = (change: object): RunModel => ({
  ...model,
  plan: { ...model.plan, experiment: { ...model.plan.experiment, ...change } },
});
const server = (change: (target: RunModel['targets'][number]) => object, name = 'PostgreSQL'): RunModel => ({
  ...model,
  targets: model.targets.map((target) => (target.name === name ? { ...target, ...change(target) } : target)),
});
const fingerprint = (change: object): RunModel =>
  server((target) => ({ fingerprint: { ...target.fingerprint!, ...change } }));
const changes = (after: RunModel, before: RunModel = model) => whatChanged(before, after);

describe('values that differ between any two runs are not listed', () => {
  it('lists nothing of a run and itself, whatever its id, times, ports and machine state', () => {
    expect(changes(model)).toEqual([]);
    const later = server(() => ({ address: '127.0.0.1:50123/dyno' }));
    expect(
      changes({ ...later, runId: 'other', startedAt: '2027-01-01T00:00:00.000Z', calibration: [], trials: [] }),
    ).toEqual([]);
    expect(changesText([])).toBe('');
  });

  it('not the number of planned repeats, which a gate that goes on until it is decided raises', () => {
    const { measure } = model.plan.experiment;
    const until = { seconds: 10, precision: { throughput: 0.02 } };
    expect(changes(experiment({ measure: { ...measure, repeats: 100 } }))).toEqual([]);
    const precise = experiment({ measure: { ...measure, until, repeats: { min: 3, max: 9 }, budgetSeconds: 60 } });
    expect(changes(experiment({ measure: { ...measure, until: { seconds: 10 } } }), precise)).toEqual([]);
    expect(changes(experiment({ measure: { ...measure, warmupSeconds: 77 } }))).toMatchObject([
      { kind: 'measurement', what: 'measure.warmupSeconds' },
    ]);
  });

  it.each([
    'port',
    'data_directory',
    'server_uuid',
    'datadir',
    'pid_file',
    'hostname',
    'password',
    'workingSet',
    'dataDir',
  ])('not the setting %s of a server', (name) => {
    const other = (value: string) => fingerprint({ other: { ...model.targets[0]!.fingerprint!.other, [name]: value } });
    expect(changes(other('b'), other('a'))).toEqual([]);
  });

  it.each(['export', 'portal_timeout', 'synchronous_commit', 'profile'])('but the setting %s', (name) => {
    const other = (value: string) => fingerprint({ other: { [name]: value } });
    expect(changes(other('b'), other('a'))).toMatchObject([{ kind: 'setting', what: name, before: 'a', after: 'b' }]);
  });

  it('not the order of keys, nor a text that only describes the experiment', () => {
    const { dataset } = model.plan.experiment;
    const turned = Object.fromEntries(Object.entries(dataset).toReversed());
    expect(changes(experiment({ dataset: turned, name: 'Another', question: 'Else?', about: 'x' }))).toEqual([]);
    expect(changes(experiment({ baseline: { connections: 1 }, explain: { connections: 4 } }))).toEqual([]);
  });
});

it('lists a price that changed, as a kind of its own', () => {
  const [before, after] = [1, 2].map((price) =>
    experiment({ prices: { currency: 'EUR', perHour: { SQLite: price } } }),
  );
  expect(changes(after!, before!)).toEqual([
    { kind: 'price', what: 'prices.perHour.SQLite', where: null, before: '1', after: '2' },
  ]);
});

describe('servers', () => {
  it('a setting that determines the durability of a commit', () => {
    const after = fingerprint({
      durability: { ...model.targets[0]!.fingerprint!.durability, synchronous_commit: 'off' },
    });
    expect(changes(after)).toEqual([
      { kind: 'durability', what: 'synchronous_commit', where: 'PostgreSQL', before: 'on', after: 'off' },
    ]);
    expect(changesText(changes(after))).toBe(
      'What changed between the runs: synchronous_commit on → off at PostgreSQL.',
    );
  });

  it('another version, without the settings that it alone has, and without its build', () => {
    const own = model.targets[0]!.fingerprint!;
    const after = fingerprint({
      product: 'PostgreSQL 18.5',
      version: '18.5',
      other: { ...own.other, build: 'gcc 14', io_new_setting: 'x' },
    });
    expect(changes(after)).toEqual([
      { kind: 'version', what: 'PostgreSQL', where: 'PostgreSQL', before: 'PostgreSQL 18.4', after: 'PostgreSQL 18.5' },
    ]);
  });

  it('a setting that only one of two users may read is no change', () => {
    const own = model.targets[0]!.fingerprint!;
    expect(changes(fingerprint({ other: { ...own.other, secret_setting: '1' } }))).toEqual([]);
  });

  it('another host, and a target of another name on the same engine', () => {
    const moved = server(() => ({ address: 'db2.example.com:5432/dyno' }));
    expect(changes(moved)).toMatchObject([{ kind: 'server', what: 'address', before: '127.0.0.1/dyno' }]);
    const renamed = server((target) => ({ name: 'pg18', fingerprint: { ...target.fingerprint!, version: '19' } }));
    expect(changes(renamed)).toMatchObject([
      { kind: 'version', where: 'pg18' },
      { kind: 'server', what: 'target', before: 'PostgreSQL', after: 'pg18' },
    ]);
  });
});

describe('the experiment', () => {
  it('an index more, one less, and one that is otherwise', () => {
    const { dataset } = model.plan.experiment;
    const old = experiment({
      dataset: { ...dataset, indexes: [{ columns: ['a'], unique: false, kind: 'btree', visible: true }] },
    });
    const now = experiment({
      dataset: {
        ...dataset,
        indexes: [
          { columns: ['a'], include: ['c'], where: 'a > 5', unique: true, kind: 'btree', visible: true },
          { columns: ['b', { column: 'c', order: 'desc' }] },
        ],
      },
      tables: { orders: { rows: 1, indexes: [{ columns: ['created'], kind: 'hash' }] } },
    });
    const tables = { orders: { rows: 1, indexes: [] } };
    expect(changes(now, experiment({ ...old.plan.experiment, tables }))).toEqual([
      { kind: 'index', what: '(a)', where: null, before: 'btree', after: 'unique btree including c where a > 5' },
      { kind: 'index', what: '(b, c desc)', where: null, before: null, after: 'btree' },
      { kind: 'index', what: 'orders (created)', where: null, before: null, after: 'hash' },
    ]);
  });

  it('rows, a statement, a setting of all variants and a level, each by its place in the file', () => {
    const { dataset, workload } = model.plan.experiment;
    const text = (where: string) => ({ pay: { text: `SELECT sum(amount) FROM payments WHERE ${where}` } });
    const found = changes(
      experiment({
        dataset: { ...dataset, rows: 7 },
        workload: { ...workload, rowsPerCall: 99 },
        factors: { connections: [1, 8] },
        statements: text('b = 2'),
      }),
      experiment({ statements: text('a = 1') }),
    );
    expect(found).toMatchObject([
      { kind: 'schema', what: 'dataset.rows', after: '7' },
      { kind: 'statement', what: 'statements.pay.text' },
      { kind: 'workload', what: 'workload.rowsPerCall', after: '99' },
      { kind: 'workload' },
      { kind: 'workload' },
    ]);
    expect(changesText(found)).toMatch(
      /^What changed between the runs: dataset\.rows .* → 7; .*; 2 more\. To separate/,
    );
  });

  it('settings of variants that the files do not tell, once where all have them', () => {
    const variants = model.plan.variants.map((one) => ({ ...one, settings: { ...one.settings, fetchSize: 7 } }));
    expect(changes({ ...model, plan: { ...model.plan, variants } })).toEqual([
      { kind: 'variant', what: 'fetchSize', where: null, before: '1000', after: '7' },
    ]);
  });

  it('the contents of a file that it names', () => {
    const file = (sha256: string): RunModel => ({ ...model, files: [{ file: 'ids.csv', sha256 }] });
    expect(changes(file('b'.repeat(64)), file('a'.repeat(64)))).toMatchObject([{ kind: 'file', what: 'ids.csv' }]);
  });
});

it('names drivers, Dyno and the machine itself', () => {
  const { environment } = model;
  const after = {
    ...model,
    environment: { ...environment, app: '9.9.9', drivers: { ...environment.drivers, pg: '99.0' }, cores: 96 },
  };
  expect(changes(after).map(({ kind, what }) => [kind, what])).toEqual([
    ['driver', 'pg'],
    ['dyno', 'Dyno'],
    ['machine', 'Processors'],
  ]);
});

it('long texts are shown from shortly before their difference on', () => {
  const text = (end: string) => `SELECT ${'column_name, '.repeat(20)}last FROM orders WHERE ${end}`;
  expect(excerpts(text('a = 1'), text('b = 2'))).toEqual(['…t FROM orders WHERE a = 1', '…t FROM orders WHERE b = 2']);
  expect(excerpts(null, 'x')).toEqual(['–', 'x']);
});
