import { describe, expect, it } from 'vitest';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Plan } from '#protocol/plan.ts';
import { askedGate, gateExitCode } from './gate-options.ts';

const { plan } = fixtureRun({ connections: [1] });
const withStatements = {
  ...plan,
  experiment: { ...plan.experiment, statements: { pay: { text: 'SELECT 1', parameters: {} } }, goals: { p99Ms: 5 } },
} as unknown as Plan;
const [first] = plan.targets;

/** The message and the hint of the error. */
function refused(values: Parameters<typeof askedGate>[0], of = plan): string {
  try {
    askedGate(values, of);
  } catch (thrown) {
    const { kind, message, hint } = (thrown as { data: { kind: string; message: string; hint: string | null } }).data;
    return `${kind}: ${message} ${hint ?? ''}`.trim();
  }
  return 'accepted';
}

describe('the options of a gate', () => {
  it('name conditions and a baseline, which may be a target of the run itself', () => {
    expect(askedGate({}, plan)).toBeNull();
    expect(askedGate({ baseline: 'last', 'fail-on': ['slower 5%', 'errors 1%', 'slower 5.0%'] }, plan)).toEqual({
      conditions: [
        { kind: 'slower', share: 0.05 },
        { kind: 'errors', share: 0.01 },
      ],
      baseline: { run: 'last' },
    });
    expect(askedGate({ baseline: `target:${first!.name}`, 'fail-on': ['p99 10%'] }, plan)?.baseline).toEqual({
      target: first!.name,
    });
    expect(askedGate({ 'fail-on': ['errors 1%'] }, plan)?.baseline).toBeNull();
    expect(askedGate({ 'fail-on': ['statement:pay 5%', 'goal'], baseline: 'x' }, withStatements)).not.toBeNull();
  });

  it('are refused before anything runs where the experiment cannot meet them', () => {
    expect(refused({ 'fail-on': ['slower 5%'] })).toMatch(/^badInput: A condition compares with a baseline/);
    expect(refused({ baseline: 'last' })).toContain('--baseline needs a condition');
    expect(refused({ 'fail-on': ['goal'] })).toContain('has no goals');
    expect(refused({ 'fail-on': ['statement:pai 5%'], baseline: 'x' }, withStatements)).toContain(
      'Did you mean `pay`?',
    );
    expect(refused({ 'fail-on': ['slower 5%'], baseline: 'target:nowhere' })).toContain('has no target “nowhere”');
    expect(refused({ 'fail-on': ['faster 5%'] })).toContain('is no condition of a gate');
  });

  it('give exit codes of their own, unless the run was not made as planned', () => {
    expect((['passed', 'failed', 'undecided'] as const).map((one) => gateExitCode(one, exitCodes.ok))).toEqual([
      0, 11, 12,
    ]);
    expect(gateExitCode('failed', exitCodes.someTrialsFailed)).toBe(11);
    expect(gateExitCode('passed', exitCodes.someTrialsFailed)).toBe(exitCodes.someTrialsFailed);
    expect(gateExitCode('undecided', exitCodes.someTrialsFailed)).toBe(exitCodes.someTrialsFailed);
    expect(gateExitCode('failed', exitCodes.cancelled)).toBe(exitCodes.cancelled);
    expect(gateExitCode('undecided', exitCodes.targetUnreachable)).toBe(exitCodes.targetUnreachable);
  });
});
