import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { galleryFolder } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { smallOverrides } from './small-size.ts';

const context = { catalog: catalog.map(({ descriptor }) => descriptor) };
const files = readdirSync(galleryFolder).filter((name) => name.endsWith('.dyno.yaml'));
const read = (name: string) => parseFile(readFileSync(join(galleryFolder, name), 'utf8'));
const smallOf = (name: string) => {
  const file = read(name);
  const text = applyOverrides(file, smallOverrides(file.experiment!, ['noop', 'embedded-postgres', 'sqlite']));
  return planExperiment(parseFile(text), context);
};

it.each(files)('%s has a small size that is valid on one engine', (name) => {
  const { plan, diagnostics } = smallOf(name);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(plan?.trials.length).toBeGreaterThan(0);
});

it('takes the size that is written to be small', () => {
  expect(smallOf('insert-duel.dyno.yaml').plan?.experiment.size).toBe('published, small');
  expect(smallOf('first-scan.dyno.yaml').plan?.experiment.size).toBe('small');
});

it('shortens others, and repeats only where a published ratio needs an interval', () => {
  expect(smallOf('read-by-key.dyno.yaml').plan?.measure).toMatchObject({ until: 'time', repeats: 1, warmupSeconds: 0 });
  expect(smallOf('working-set.dyno.yaml').plan?.measure.repeats).toBe(3);
  expect(smallOf('retail-mix.dyno.yaml').plan?.measure.stages).toMatchObject([{ name: 'all users', seconds: 3 }]);
});
