import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalog } from '../engines/catalog.ts';
import { checkExperiment } from './check-experiment.ts';
import { applyOverrides } from './experiment-file.ts';

const folder = new URL('../../experiments/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.dyno.yaml'));
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const descriptors = catalog.map(({ descriptor }) => descriptor);

describe('the gallery', () => {
  it('has the starter', () => expect(files).toContain('insert-duel.dyno.yaml'));

  it.each(files)('%s is valid, says why it matters, and has a variant to run on every target', (name) => {
    const { experiment, plan, diagnostics } = checkExperiment(read(name), descriptors);
    expect(diagnostics).toEqual([]);
    expect(experiment?.about).toContain('**Look at**');
    expect(experiment?.question).toMatch(/\?$/);
    expect(new Set(plan?.trials.map(({ target }) => target))).toEqual(
      new Set(plan?.targets.map(({ name: target }) => target)),
    );
  });

  it.each(files)('%s has a baseline that runs', (name) => {
    const { experiment, plan } = checkExperiment(read(name), descriptors);
    const { target, ...levels } = experiment?.baseline ?? {};
    const variant = plan?.variants.find((one) =>
      Object.entries(levels).every(([factor, level]) => one.levels[factor] === level),
    );
    expect(variant).toBeDefined();
    expect(
      plan?.trials.some((trial) => trial.variant === variant?.id && (target === undefined || trial.target === target)),
    ).toBe(true);
  });

  it.each(files)('%s gives every connection as many calls, where rows end a trial', (name) => {
    const { experiment, plan } = checkExperiment(read(name), descriptors);
    for (const { id, settings } of plan?.measure.until === 'rows' ? plan.variants : []) {
      const calls = Math.ceil(experiment!.dataset.rows / settings.rowsPerCall);
      const rounds = Math.ceil(calls / settings.connections);
      expect((rounds * settings.connections) / calls, id).toBeLessThan(1.1);
    }
  });

  it('the starter runs at another size by --set', () => {
    const text = applyOverrides(read('insert-duel.dyno.yaml'), [
      'dataset.rows=500',
      'measure.repeats=1',
      'targets=null',
    ]);
    const { plan, diagnostics } = checkExperiment(text, descriptors);
    expect(diagnostics.map(({ severity, path }) => `${severity} ${path}`)).toEqual(['warning baseline.target']);
    expect(plan?.trials).toHaveLength(6);
  });
});
