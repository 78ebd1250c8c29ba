import { readFileSync } from 'node:fs';
import { test as always, expect, vi } from 'vitest';
import { createRunReader } from '#analysis/journal/read-run.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { statementPlans } from '#analysis/server/query-plans.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { dyno } from './cli.fixture.ts';
import { type Parts, writeExperiment } from './findings/findings-on-servers.fixture.ts';
import { keeping, sharedHome } from './shared-home.fixture.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const home = sharedHome(keeping('embedded-postgres'));

async function runOf(parts: Parts): Promise<RunModel> {
  const { out, err } = await dyno(home.home, 'run', writeExperiment(home.home, parts));
  const journal = /^run: (.+)$/m.exec(`${out}\n${err}`)?.[1];
  if (journal === undefined) throw new Error(`${out}\n${err}`);
  const reader = createRunReader();
  for (const line of readFileSync(journal, 'utf8').split('\n')) if (line) reader.add(JSON.parse(line));
  return reader.model();
}

const targets = ['embedded-postgres', 'sqlite'].filter((name) => !isSkipped(name));

always(
  'every statement of every trial has its plan, an index shows in it, and changes are not executed for theirs',
  async () => {
    const model = await runOf({
      rows: '5000',
      columns:
        '{ id: { type: sequence }, code: { type: sequence }, note: { type: text, length: 30 } }\n  indexes: [{ columns: [code] }]',
      workload: '{ operation: statement, method: prepared }',
      statements: `{
      byCode: { text: 'SELECT note FROM {table} WHERE code = :code', parameters: { code: { type: integer, min: 1, max: 5000 } } },
      change: { text: 'UPDATE {table} SET note = :note WHERE id = :id', parameters: { note: { type: text, length: 10 }, id: { type: key } } } }`,
      factors: '{ indexCreation: [none, afterLoad] }',
      targets: `[${targets.join(', ')}]`,
      measure: '{ until: { seconds: 0.5 }, repeats: 2, warmupSeconds: 0.3 }',
    });
    expect(model.trials.map(({ result }) => result?.status)).toEqual(model.trials.map(() => 'ok'));
    const plans = statementPlans(model);
    expect(plans.map(({ statement }) => statement).toSorted()).toEqual(['byCode', 'change']);
    const byCode = plans.find(({ statement }) => statement === 'byCode')!;
    expect(byCode.missing).toEqual([]);
    for (const target of targets) {
      const kinds = (index: string) =>
        byCode.plans
          .filter(({ uses }) => uses.some((use) => use.target === target && use.variant === `indexCreation=${index}`))
          .map(({ plan, uses }) => [
            plan.steps.map(({ kind, table }) => [kind, table]),
            uses.flatMap((use) => use.repeats),
          ]);
      expect(kinds('none'), target).toEqual([[[['fullScan', 'table']], [1, 2]]]);
      expect(JSON.stringify(kinds('afterLoad')), target).toMatch(/indexSeek/);
    }
    const change = plans.find(({ statement }) => statement === 'change')!;
    expect(change.plans.flatMap(({ plan }) => [plan.executed])).not.toContain(true);
  },
);
