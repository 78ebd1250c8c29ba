import { expect, it } from 'vitest';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { fixtureRun } from '../run-model/run.fixture.ts';
import { interleaved } from './interleaved.ts';

const run = fixtureRun({ connections: [1] });

/** The run with these targets. */
function runOn(...targets: readonly unknown[]) {
  const yaml = setIn(readYaml(run.yaml), ['targets'], targets).text;
  const { experiment } = parseFile(yaml);
  return { yaml, plan: { ...run.plan, experiment: experiment! } };
}
const parsed = (...[before, after]: Parameters<typeof interleaved>) => {
  const { text, isComplete } = interleaved(before, after);
  const { experiment, diagnostics } = parseFile(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { experiment, isComplete };
};

it('makes an experiment of a run that waits for a second version among its targets', () => {
  const { experiment, isComplete } = parsed(run, run);
  expect(isComplete).toBe(false);
  expect(experiment).toMatchObject({
    name: 'Insert duel: two versions in turn',
    targets: run.plan.experiment.targets,
    measure: { order: 'interleaved', repeats: 5 },
  });
  expect(experiment?.about).toContain('Add the other version');
});

it('has the servers of both runs, and those of the run before as baseline', () => {
  const old = { name: 'server', engine: 'postgres', host: 'db', port: 5417 };
  const { experiment, isComplete } = parsed(runOn(old), runOn({ ...old, port: 5418 }));
  expect(isComplete).toBe(true);
  expect(experiment?.targets).toEqual([
    { ...old, name: 'server before' },
    { ...old, port: 5418 },
  ]);
  expect(experiment?.baseline).toEqual({ target: 'server before' });
  const named = parsed(runOn('pg17'), runOn('pg18')).experiment;
  expect(named?.targets).toEqual(['pg17', 'pg18']);
});

it('adds no server that both runs have', () => {
  const { experiment } = parsed(runOn('pg17', 'other'), runOn('other', 'pg18'));
  expect(experiment?.targets).toEqual(['pg17', 'other', 'pg18']);
});
