import { expect, onTestFinished, test, vi } from 'vitest';
import { experimentYaml } from '#integration/home.fixture.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { createChecks } from './checks.ts';
import { planContext } from './plan-context.ts';

vi.setConfig({ testTimeout: 60_000 });

test('a thread finds what a check in this process finds', async () => {
  const checks = createChecks();
  onTestFinished(checks.close);
  for (const yaml of [experimentYaml(), experimentYaml({ targets: '[nowhere]' }), '[', ''])
    expect(await checks.check(yaml, [])).toEqual(planExperiment(parseFile(yaml), planContext()));
});

test('a check that takes too long is a problem of the text, and says what to do', async () => {
  const checks = createChecks(1);
  onTestFinished(checks.close);
  expect(await checks.check(experimentYaml(), [])).toEqual({
    plan: null,
    diagnostics: [
      expect.objectContaining({
        severity: 'error',
        message: 'The check of this experiment took longer than 0.001 s.',
        suggestion: expect.stringContaining('Make it smaller'),
      }),
    ],
  });
});

test('checks of a page that is gone are given up', async () => {
  const checks = createChecks();
  onTestFinished(checks.close);
  const asked = checks.check(experimentYaml(), []);
  checks.cancelAll();
  await expect(asked).rejects.toMatchObject({ data: { kind: 'cancelled' } });
});
