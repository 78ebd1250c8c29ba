import { expect, test } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { estimateSeconds } from '#planning/estimate-seconds.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { maximumUsersText, newExperimentText } from './new-experiment.ts';

test('a new experiment is valid, and done in less than a minute', () => {
  const { plan, diagnostics } = planExperiment(parseFile(newExperimentText), {
    catalog: catalog.map(({ descriptor }) => descriptor),
    connections: [],
  });
  expect(diagnostics).toEqual([]);
  expect(estimateSeconds(plan!).most).toBeLessThan(60);
});

test('the experiment for the maximum number of users is valid, and searches for users within a limit of p99', () => {
  const { plan, diagnostics } = planExperiment(parseFile(maximumUsersText), {
    catalog: catalog.map(({ descriptor }) => descriptor),
    connections: [],
  });
  expect(diagnostics).toEqual([]);
  expect(plan!.measure.search).toMatchObject({ find: 'limit', setting: 'users' });
  expect(plan!.experiment.goals).toEqual({ p99Ms: 50 });
});
