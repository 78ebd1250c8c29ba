import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { gone } from '../load/user-pool.ts';
import { type PlannedScenario, ScenarioScheduler } from './scenario-scheduler.ts';

const pause = (ms: number) => ({ kind: 'pause', drawMs: () => ms }) as const;
const buyer: PlannedScenario = {
  name: 'buyer',
  users: 3,
  steps: [
    { item: 0, pauses: [] },
    { item: 1, pauses: [pause(10), pause(5)] },
  ],
  pausesAfter: [pause(7)],
};
const clerk: PlannedScenario = { name: 'clerk', users: 1, steps: [{ item: 2, pauses: [pause(100)] }], pausesAfter: [] };

function schedulerOf(...scenarios: readonly PlannedScenario[]) {
  const passes: string[] = [];
  const scheduler = new ScenarioScheduler(scenarios, new Sfc32(1, 1), (number) => passes.push(scenarios[number]!.name));
  let call = 0;
  /** The next call of a user: its item, and the call with which its pass began. */
  const run = (user: number) => {
    scheduler.begin(user);
    scheduler.find(call++, 1_000 + call);
    return [scheduler.item, scheduler.pass] as const;
  };
  return { scheduler, passes, run };
}

test('a user goes through its scenario over and over, with its pauses, and a pass shares its values', () => {
  const { scheduler, passes, run } = schedulerOf(buyer);
  const user = scheduler.addUser();
  expect([scheduler.scriptPauseMs, scheduler.thinksNext]).toEqual([0, true]);
  expect(run(user)).toEqual([0, 1_001]);
  expect(scheduler.next(user, true, 1)).toBe(user);
  expect(
    [scheduler.scriptPauseMs, scheduler.thinksNext],
    'between two steps the load’s own think time is none',
  ).toEqual([15, false]);
  expect(run(user)).toEqual([1, 1_001]);
  expect(passes).toEqual([]);
  expect(scheduler.next(user, true, 1)).toBe(user);
  expect([scheduler.scriptPauseMs, scheduler.thinksNext]).toEqual([7, true]);
  expect(passes).toEqual(['buyer']);
  expect(run(user)).toEqual([0, 1_003]);
});

test('a step that fails ends the pass, which is not counted', () => {
  const { scheduler, passes, run } = schedulerOf(buyer);
  const user = scheduler.addUser();
  run(user);
  expect(scheduler.next(user, false, 1)).toBe(user);
  expect(run(user)).toEqual([0, 1_002]);
  expect(passes).toEqual([]);
});

test('a call that is made anew is what it was, whichever user began last', () => {
  const { scheduler, run } = schedulerOf(buyer, clerk);
  const users = [scheduler.addUser(), scheduler.addUser(), scheduler.addUser(), scheduler.addUser()];
  const assigned = users.map(run);
  for (const [call, assignment] of assigned.entries()) {
    scheduler.begin(users[0]!);
    scheduler.find(call, 9_999);
    expect([scheduler.item, scheduler.pass]).toEqual(assignment);
  }
  expect(assigned.map(([item]) => item).sort()).toEqual([0, 0, 0, 2]);
});

test('users are dealt to scenarios by their shares, at every number of them', () => {
  const { scheduler, run } = schedulerOf(
    { ...buyer, users: 850 },
    { ...clerk, users: 200 },
    { ...clerk, name: 'owner', users: 200 },
  );
  const buyers: number[] = [];
  for (let user = 0; user < 1_250; user++) {
    const isBuyer = run(scheduler.addUser())[0] === 0;
    buyers.push((buyers.at(-1) ?? 0) + Number(isBuyer));
    expect(Math.abs(buyers[user]! - ((user + 1) * 850) / 1_250)).toBeLessThanOrEqual(1);
  }
  expect(buyers.at(-1)).toBe(850);
});

test('a user user arrives goes through as many passes as it came for, and leaves; its number is used again', () => {
  const { scheduler, passes } = schedulerOf(clerk);
  const user = scheduler.addArrival(2);
  expect([scheduler.isOfClosedLoad(user), scheduler.scriptPauseMs]).toEqual([false, 100]);
  scheduler.begin(user);
  expect(scheduler.next(user, true, 1)).toBe(user);
  scheduler.begin(user);
  expect(scheduler.next(user, true, 1)).toBe(gone);
  expect(passes).toEqual(['clerk', 'clerk']);
  expect(scheduler.addArrival(1)).toBe(user);
});

test('a user user leaves is replaced by one of the same scenario', () => {
  const { scheduler, run } = schedulerOf(buyer, clerk);
  const users = [scheduler.addUser(), scheduler.addUser(), scheduler.addUser(), scheduler.addUser()];
  const leaving = users.find((user) => run(user)[0] === 2)!;
  scheduler.remove(leaving);
  expect(run(scheduler.addUser())[0]).toBe(2);
});

test('what arrives is drawn by its share', () => {
  const { scheduler, run } = schedulerOf(buyer, clerk);
  const items = Array.from({ length: 4_000 }, () => run(scheduler.addArrival(1))[0]);
  expect(items.filter((item) => item === 2).length / 4_000).toBeCloseTo(0.25, 1);
});
