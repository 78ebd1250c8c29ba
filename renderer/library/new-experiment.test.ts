import { expect, test } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { checkExperiment } from '#planning/check-experiment.ts';
import { estimateSeconds } from '#planning/estimate-seconds.ts';
import { newExperimentText } from './new-experiment.ts';

test('a new experiment is valid, and done in less than a minute', () => {
  const { plan, diagnostics } = checkExperiment(
    newExperimentText,
    catalog.map(({ descriptor }) => descriptor),
    [],
  );
  expect(diagnostics).toEqual([]);
  expect(estimateSeconds(plan!).most).toBeLessThan(60);
});
