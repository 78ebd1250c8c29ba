import { expect, it } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { planOf } from '#planning/variant-of.ts';
import { definitionOf } from '#planning/work-of.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { fixtureRun } from '../run-model/run.fixture.ts';
import { runValues } from './run-values.ts';

it('has the throughput and the times of every comparable cell, with intervals', () => {
  const run = fixtureRun({ connections: [1] });
  const values = runValues(run);
  const of = (target: string) => values.filter((one) => one.target === target);
  // A reference has no history.
  expect(of('No-op engine')).toEqual([]);
  expect(
    of('SQLite')
      .map(({ label, quantity, unit }) => `${label} ${quantity} ${unit}`)
      .slice(0, 5),
  ).toEqual([
    'prepared · Connections: 1 throughput rows/s',
    'prepared · Connections: 1 p99 ms',
    'prepared · Connections: 1 p95 ms',
    'prepared · Connections: 1 p50 ms',
    'prepared · Connections: 1 mean ms',
  ]);
  for (const { value, low, high, n } of values) {
    expect(n).toBe(3);
    expect(low!).toBeLessThan(value);
    expect(high!).toBeGreaterThan(value);
  }
});

it('of a file with goals has the limit beside the figure, and the share of failed calls', () => {
  const run = fixtureRun({ connections: [1] });
  const experiment = { ...run.plan.experiment, goals: [{ p50Ms: 2, errorsPercent: 1 }] };
  const values = runValues({ ...run, plan: { ...run.plan, experiment } });
  const limits = values.filter(({ target, limit }) => target === 'SQLite' && limit !== null);
  expect(limits.map(({ quantity, limit, unit }) => [quantity, limit, unit]).slice(0, 2)).toEqual([
    ['p50', 2, 'ms'],
    ['errors', 0.01, 'share'],
  ]);
});

it('the work of a cell is the same whatever indexes, sessions and servers have, and another with other rows', () => {
  const descriptors = catalog.map(({ descriptor }) => descriptor);
  const workOf = (more: string, dataset = 'rows: 50') => {
    const { plan, diagnostics } = planExperiment(
      parseFile(`dyno: 1
name: Scan
question: How fast?
dataset: { ${dataset}, key: id, columns: { id: { type: sequence }, at: { type: integer } } }
workload: { operation: readByKey, method: prepared }
targets: [embedded-postgres]
${more}`),
      { catalog: descriptors },
    );
    expect(diagnostics).toEqual([]);
    const [variant] = plan!.variants;
    const { experiment, measure } = planOf(plan!, variant);
    return definitionOf(experiment, variant!.settings, measure, { target: 'embedded-postgres', engine: 'postgres' });
  };
  const plain = workOf('');
  expect(workOf('session: { postgres: { work_mem: 64MB } }')).toBe(plain);
  expect(workOf('server: { postgres: { shared_buffers: 256MB } }')).toBe(plain);
  expect(workOf('', 'rows: 50, indexes: [{ columns: [at] }]')).toBe(plain);
  expect(workOf('', 'rows: 60')).not.toBe(plain);
  expect(workOf('factors: { connections: [2] }')).not.toBe(plain);
});
