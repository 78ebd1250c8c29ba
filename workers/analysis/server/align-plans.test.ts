import { describe, expect, it } from 'vitest';
import type { PlanStep } from '#engine-api/query-plan.ts';
import { alignPlans, type EnginePlan } from './align-plans.ts';
import { step } from './query-plans.fixture.ts';

const plan = (engine: string, ...steps: readonly PlanStep[]): EnginePlan => ({
  engine,
  plan: { command: '', executed: false, steps, text: '', printed: null },
});
const rowsOf = (left: EnginePlan, right: EnginePlan) =>
  alignPlans(left, right).map(
    ({ left: a, right: b, differences }) =>
      `${a?.operator ?? '–'} | ${b?.operator ?? '–'}${differences.length > 0 ? `: ${differences.join(', ')}` : ''}`,
  );
const at = (depth: number, operator: string, more: Partial<PlanStep> = {}) => step(operator, { depth, ...more });
const scan = (depth: number, table: string, more: Partial<PlanStep> = {}) =>
  at(depth, 'Seq Scan', { kind: 'fullScan', table, ...more });
const seek = (depth: number, table: string, index = 'i') =>
  at(depth, 'Index Scan', { kind: 'indexSeek', table, index });

describe('plans side by side', () => {
  it('have the steps in one row that both have, and others by themselves', () => {
    const left = plan('x', at(0, 'Sort'), at(1, 'Join'), scan(2, 'a'), scan(2, 'b'));
    const right = plan('x', at(0, 'Join'), scan(1, 'a'), at(1, 'Hash'), seek(2, 'b'));
    expect(rowsOf(left, right)).toEqual([
      'Sort | –',
      'Join | Join',
      'Seq Scan | Seq Scan',
      '– | Hash',
      'Seq Scan | Index Scan: operator, object',
    ]);
  });

  it('plans of two engines are compared by the work of their steps, plans of one engine by its operators', () => {
    const [own, other] = [scan(0, 't'), at(0, 'TABLE SCAN', { kind: 'fullScan', table: 't' })];
    expect(rowsOf(plan('x', own), plan('y', other))).toEqual(['Seq Scan | TABLE SCAN']);
    expect(rowsOf(plan('x', own), plan('x', other))).toEqual(['Seq Scan | TABLE SCAN: operator']);
  });

  it('mark a step that stands below another one', () => {
    const join = (depth: number) => at(depth, 'Join', { kind: 'join' });
    const left = plan('x', join(0), scan(1, 'a'), join(1), scan(2, 'b'), scan(2, 'c'));
    const right = plan('x', join(0), join(1), scan(2, 'a'), scan(2, 'b'), scan(1, 'c'));
    expect(rowsOf(left, right).filter((row) => row.includes('nesting')).length).toBeGreaterThan(0);
    // An additional step above moves all steps below it by one level, which does not count as another nesting.
    expect(
      rowsOf(plan('x', join(0), scan(1, 'a')), plan('x', at(0, 'Sort', { kind: 'sort' }), join(1), scan(2, 'a'))),
    ).toEqual(['– | Sort', 'Join | Join', 'Seq Scan | Seq Scan']);
  });

  it('pair a step with the one at its own depth where two would do', () => {
    const left = plan('x', at(0, 'Append'), scan(1, 't'));
    const right = plan('x', at(0, 'Append'), at(1, 'Sort'), scan(2, 't'), scan(1, 't'));
    expect(rowsOf(left, right)).toEqual(['Append | Append', '– | Sort', '– | Seq Scan', 'Seq Scan | Seq Scan']);
  });

  it('mark conditions, estimates and rows by a factor of 10, and executions, and not constants', () => {
    const with_ = (more: Partial<PlanStep>) => plan('x', scan(0, 't', { filter: 'code = 5', loops: 1, ...more }));
    const marks = (a: Partial<PlanStep>, b: Partial<PlanStep>) => alignPlans(with_(a), with_(b))[0]?.differences;
    expect(marks({ filter: "code = 5 AND n = 'a'" }, { filter: "code = 7 AND n = 'b'" })).toEqual([]);
    expect(marks({ filter: 'code = $1' }, { filter: 'lower(code) = $1' })).toEqual(['filter']);
    expect(marks({ estimatedRows: 100 }, { estimatedRows: 999 })).toEqual([]);
    expect(marks({ estimatedRows: 100 }, { estimatedRows: 1_000 })).toEqual(['estimates']);
    expect(marks({ actualRows: 5 }, { actualRows: 400 })).toEqual(['rows']);
    expect(marks({ actualRows: 5 }, { actualRows: 90 })).toEqual([]);
    expect(marks({ examinedRows: 5 }, { examinedRows: 90_000 })).toEqual(['rowsRead']);
    expect(marks({ loops: 0 }, { loops: 1 })).toEqual(['executions']);
    expect(marks({ spilled: true }, { spilled: false })).toEqual(['memory']);
  });

  it('have every step of both once, whatever they are', () => {
    const some = (seed: number) =>
      Array.from({ length: 1 + (seed % 6) }, (_, i) =>
        scan(i === 0 ? 0 : 1 + ((seed * 7 + i) % 2 === 0 && i > 1 ? 1 : 0), 'abc'[(seed + i * 3) % 3]!),
      );
    for (let seed = 0; seed < 60; seed++) {
      const [left, right] = [some(seed), some(seed * 13 + 5)];
      const pairs = alignPlans(plan('x', ...left), plan('x', ...right));
      expect(pairs.flatMap((pair) => pair.left ?? [])).toEqual(left);
      expect(pairs.flatMap((pair) => pair.right ?? [])).toEqual(right);
      const same = alignPlans(plan('x', ...left), plan('x', ...left));
      expect(same).toEqual(left.map((step) => ({ left: step, right: step, differences: [] })));
    }
  });
});
