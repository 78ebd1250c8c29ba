import { formatCondition, type GateCondition } from '#analysis/gate/conditions.ts';
import type { GateOutcome, GateResult, JudgedCell } from '#analysis/gate/gate-result.ts';
import { decideText } from '#analysis/gate/gate-text.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Plan } from '#protocol/plan.ts';
import { changesText } from '../text/changes-text.ts';
import { cellPath } from './cell-path.ts';
import type { TestCase, TestSuite } from './test-suite.ts';

/** The test cases of a gate: one for each condition in each cell. An undecided one is skipped, and remains open. */
export const gateSuite = (plan: Plan, gate: GateResult): TestSuite => ({
  name: 'gate',
  cases: gate.conditions.flatMap(({ condition, cells }) =>
    cells.map((one, i) => {
      // A cell has a part for each goal.
      const before = cells.slice(0, i).filter(({ name }) => name === one.name).length;
      return caseOf(plan, condition, before === 0 ? one : { ...one, name: `${one.name} (${before + 1})` });
    }),
  ),
  notes: [gate.sentence, ...(gate.changes.length === 0 ? [] : [changesText(gate.changes)])],
});

const outcomes = {
  passed: 'passed',
  failed: 'failed',
  undecided: 'skipped',
} as const satisfies Record<GateOutcome, TestCase['outcome']>;

const caseOf = (
  plan: Plan,
  condition: GateCondition,
  { outcome, name, sentence, cell, repeatsNeeded }: JudgedCell,
): TestCase => ({
  name: `${formatCondition(condition)}: ${name}`,
  outcome: outcomes[outcome],
  message: sentence,
  details: repeatsNeeded ? [decideText(repeatsNeeded)] : [],
  seconds: 0,
  isOpen: outcome === 'undecided',
  path: pathOf(plan, condition, cell),
});

function pathOf(plan: Plan, condition: GateCondition, cell: JudgedCell['cell']): Path {
  if (condition.kind === 'goal') return ['goals'];
  const work = condition.kind === 'time' ? condition.work : null;
  const { experiment } = plan;
  const section = (['statements', 'transactions', 'scenarios'] as const).find(
    (key) => work !== null && Object.hasOwn(experiment[key] ?? {}, work),
  );
  if (section !== undefined && work !== null) return [section, work];
  return cell === null ? [] : cellPath(plan, cell);
}
