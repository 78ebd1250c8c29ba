import { testHome } from '#integration/home.fixture.ts';
import type { Home } from '#platform/paths.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { createRun } from './run.ts';

/** Runs an experiment of one trial; in a home of its own, unless one is given whose servers may be started already. */
export async function runOnce(
  yaml: string,
  home?: Home,
): Promise<{ readonly plan: Plan; readonly result: TrialResult }> {
  await using test = home ? null : testHome();
  const run = await createRun({ home: home ?? test!.home, yaml });
  const results: TrialResult[] = [];
  run.on('record', (record) => {
    if (record.record === 'result') results.push(record.result);
  });
  await run.start();
  const [result, ...others] = results;
  if (!result || others.length > 0) throw new Error(`The experiment has ${results.length} trials, and not one.`);
  return { plan: run.plan, result };
}
