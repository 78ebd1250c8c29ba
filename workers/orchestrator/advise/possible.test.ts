import { expect, test } from 'vitest';
import { oneVariant } from '#analysis/advise/advice-file.ts';
import { advisedWork, probeRemarks } from '#analysis/advise/advice-report.ts';
import { findCandidates } from '#analysis/advise/find-candidates.ts';
import { writeProbes } from '#analysis/advise/write-probe.ts';
import { testHome } from '#integration/home.fixture.ts';
import { trusted } from '#integration/trusted.fixture.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { Home } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { catalogEntry } from '../worker/targets.ts';
import { possibleCandidates, possibleProbes } from './possible.ts';

const words = { name: 'Advice', question: 'What is faster?', seconds: 1, repeats: 1 };
const parts = { ...words, candidates: [], probes: {} };

/** The first variant of a file, as advice starts from it. */
function workOf(home: Home, more: object) {
  const text = JSON.stringify({
    ...{ dyno: 1, ...{ name: 'Own', question: 'What is faster?' }, measure: { until: { seconds: 1 } } },
    ...more,
  });
  const { plan } = trusted(home, text);
  const [variant, target] = [plan.variants[0]!, plan.targets[0]!];
  const { descriptor } = catalogEntry(target.engine);
  const source = oneVariant(parseFile(text), plan.experiment, variant, target.name);
  return { work: advisedWork(plan, variant, target.name, descriptor), source };
}

test('an insert that no file may have is left out with the reason', async () => {
  await using own = testHome();
  const { home } = own;
  const columns = { id: { type: 'sequence' }, city: { type: 'text', length: 9 } };
  const fromFile = { id: { type: 'file', as: 'integer' }, city: { type: 'file', as: 'text', maxLength: 9 } };
  const table = { rows: 9, key: 'id', columns };
  const { work, source } = workOf(home, {
    tables: {
      made: table,
      read: { ...table, columns: fromFile, rows: 2, from: { file: 'people.csv' } },
      unique: { ...table, indexes: [{ columns: ['city'], unique: true }] },
    },
    dataset: { rows: 1, columns: {} },
    workload: { operation: 'statement', method: 'prepared' },
    statements: {
      find: { text: 'SELECT count(*) FROM {made} m JOIN {read} r ON r.id = m.id JOIN {unique} u ON u.id = m.id' },
    },
    targets: ['sqlite'],
  });
  const made = writeProbes(work, isMapping(source.value) ? source.value : {}, ['made', 'read', 'unique']);
  const probes = possibleProbes(home, source, parts, made);
  expect(probes.map(({ table, statement }) => [table, statement !== null])).toEqual([
    ['made', true],
    ['read', false],
    ['unique', false],
  ]);
  expect(probeRemarks(probes)).toEqual([
    expect.stringMatching(
      /writes to read was not measured: no insert was added. `id` is a new key, and the keys of the table come from a file/,
    ),
    expect.stringMatching(/writes to unique was not measured: .*unique index/),
  ]);
});

test('over a read-only production connection only other texts are tried, and tables are refused', async () => {
  await using own = testHome();
  const { home } = own;
  const values = { host: 'db1.example', user: 'bench' };
  openConnectionStore(home).save({
    ...{ id: null, name: 'live', engine: 'postgres', values, passwords: {}, production: {} },
  });
  const live = {
    workload: { operation: 'statement', method: 'bind', load: 'open', arrivalsPerSecond: 5 },
    targets: ['live'],
  };
  const day = { type: 'timestamp', from: '2020-01-01', to: '2021-01-01' };
  const { work, source } = workOf(home, {
    ...live,
    statements: { find: { text: 'SELECT id FROM mine WHERE date(sold) = :day', parameters: { day } } },
  });
  const spilled = { kind: 'sortMemory', title: 'more memory', why: '', tables: [], statements: ['find'] } as const;
  const candidates = [
    ...findCandidates(work),
    { ...spilled, steps: [], change: { session: { postgres: { work_mem: '16384kB' } } } },
  ];
  expect(possibleCandidates(home, source, parts, candidates).map((one) => [one.candidate.kind, one.whyNot])).toEqual([
    ['rewrite', null],
    ['sortMemory', expect.stringContaining('sessions of a production server')],
  ]);
  const table = { name: 'orders', rows: 9, key: 'id', columns: { id: { type: 'sequence' } } };
  const onTable = { ...live, dataset: table, statements: { find: { text: 'SELECT count(*) FROM {orders}' } } };
  expect(() => workOf(home, onTable)).toThrow('It would create and fill a table');
});
