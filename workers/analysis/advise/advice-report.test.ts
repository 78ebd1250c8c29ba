import { expect, test } from 'vitest';
import { unknownStep } from '#engine-api/query-plan.ts';
import { descriptor } from '#engines/postgres/descriptor.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { advisedWork, foreignWrites, remarksOf } from './advice-report.ts';
import { findCandidates } from './find-candidates.ts';

/** A statement over a table of the user's own. */
function workOf(text: string) {
  const yaml = JSON.stringify({
    ...{ dyno: 1, name: 'Own', question: 'What is faster?', workload: { operation: 'statement', method: 'prepared' } },
    statements: { find: { text, parameters: { day: { type: 'timestamp', from: '2020-01-01', to: '2021-01-01' } } } },
    ...{ targets: ['embedded-postgres'], measure: { until: { seconds: 1 } } },
  });
  const { plan } = planExperiment(parseFile(yaml), planContext());
  return advisedWork(plan!, plan!.variants[0]!, 'embedded-postgres', descriptor);
}

test('on tables of the user’s own only texts and settings are tried, and the reason is said', () => {
  const work = workOf('SELECT id FROM mine WHERE date(sold) = :day');
  expect(findCandidates(work).map(({ kind, steps }) => [kind, ...steps.map((step) => step.do)])).toEqual([
    ['rewrite', 'replaceText'],
  ]);
  expect(remarksOf(work).join()).toContain('Dyno makes no index on them');
  expect(foreignWrites(work)).toEqual([]);
  expect(foreignWrites(workOf('DELETE FROM mine WHERE sold < :day'))).toEqual(['find']);
  expect(foreignWrites(workOf('DELETE FROM mine /* {no_table} */'))).toEqual(['find']);
});

test('estimates that are far off are named, because no trial measures other statistics', () => {
  const work = workOf('SELECT id FROM mine WHERE sold < :day');
  const step = { ...unknownStep, estimatedRows: 10, actualRows: 5_000, loops: 1 };
  const plan = { command: '', executed: true, steps: [step], text: '', printed: null };
  const looked = { ...work, statements: work.statements.map((one) => ({ ...one, plan })) };
  expect(remarksOf(looked).join()).toContain('wrong by a factor of 500');
  expect(remarksOf(looked).join()).toContain('New statistics of your tables, or');
});
