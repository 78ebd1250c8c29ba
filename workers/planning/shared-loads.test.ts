import { describe, expect, it } from 'vitest';
import { descriptor as ravendb } from '#engines/ravendb/descriptor.ts';
import { descriptor as sqlite } from '#engines/sqlite/descriptor.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { expandVariants } from './expand-variants.ts';
import { sharedLoadLines } from './load-lines.ts';
import { sharedLoads } from './shared-loads.ts';

const read = 'SELECT count(*) AS n FROM {sales} WHERE store = :store';

interface Parts {
  readonly text?: string;
  readonly workload?: string;
  readonly levels?: string;
  readonly more?: string;
}

function experimentOf({
  text = read,
  workload = '{ operation: statement, method: prepared, indexCreation: afterLoad }',
  levels = '{ none: {}, one: { dataset: { indexes: [{ columns: [store] }] } } }',
  more = '',
}: Parts) {
  const { experiment, diagnostics } = parseFile(`dyno: 1
name: Indexes
question: Which?
dataset:
  name: sales
  rows: 50
  key: id
  columns: { id: { type: sequence }, store: { type: integer, min: 1, max: 9 } }
workload: ${workload}
statements:
  total: { text: '${text}', parameters: { store: { type: integer, min: 1, max: 9 } } }
factors: { index: ${levels} }
targets: [sqlite]
${more}`);
  if (!experiment) throw new Error(JSON.stringify(diagnostics));
  return experiment;
}

const groups = (parts: Parts, engine = sqlite) => {
  const experiment = experimentOf(parts);
  return sharedLoads(experiment, expandVariants(experiment), engine, 'x');
};

describe('variants share one load', () => {
  it('if they only read and differ in indexes that are created after the load', () => {
    expect(groups({})).toEqual([['index=none', 'index=one']]);
  });

  it('and the plan says how many loads are left', () => {
    const experiment = experimentOf({});
    const variants = expandVariants(experiment);
    const shared = sharedLoads(experiment, variants, sqlite, 'sqlite');
    const trials = ['none', 'one', 'one', 'none'].map((index, at) => ({
      ...{ number: at + 1, variant: `index=${index}`, target: 'sqlite', repeat: 1 + Math.floor(at / 2) },
    }));
    const planWith = (sharedGroups: typeof shared) =>
      ({
        experiment,
        variants,
        trials,
        targets: [{ name: 'sqlite', engine: 'sqlite', index: 0, sharedLoads: sharedGroups }],
      }) as unknown as Plan;
    expect(sharedLoadLines(planWith(shared))).toEqual([expect.stringMatching(/^sqlite: 1 load for 4 trials, /)]);
    expect(sharedLoadLines(planWith([]))).toEqual([]);
  });

  it('and not if one of them writes, or may write', () => {
    expect(groups({ text: 'UPDATE {sales} SET store = :store' })).toEqual([]);
    expect(groups({ text: 'SELECT own_function(store) FROM {sales} WHERE store = :store' })).toEqual([]);
    expect(groups({ text: 'SELECT count(*) AS n FROM some_view WHERE store = :store' })).toEqual([]);
  });

  it('and not if their rows differ, or the index is there before the rows', () => {
    const rows = '{ none: {}, more: { dataset: { rows: 60, indexes: [{ columns: [store] }] } } }';
    expect(groups({ levels: rows })).toEqual([]);
    expect(groups({ workload: '{ operation: statement, method: prepared, indexCreation: beforeLoad }' })).toEqual([]);
    expect(groups({ workload: '{ operation: statement, method: prepared }' })).toEqual([]);
  });

  it('and not on an engine that drops no index of a loaded table', () => {
    expect(groups({}, ravendb)).toEqual([]);
  });
});
