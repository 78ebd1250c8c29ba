import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random.ts';
import { gone } from '../load/user-pool.ts';
import { Cast, type PlannedScenario } from './scenario-scheduler.ts';

const pause = (ms: number) => ({ kind: 'pause', drawMs: () => ms }) as const;
const buyer: PlannedScenario = {
  name: 'buyer',
  users: 3,
  acts: [
    { item: 0, pauses: [] },
    { item: 1, pauses: [pause(10), pause(5)] },
  ],
  pausesAfter: [pause(7)],
};
const clerk: PlannedScenario = { name: 'clerk', users: 1, acts: [{ item: 2, pauses: [pause(100)] }], pausesAfter: [] };

function castOf(...scenarios: readonly PlannedScenario[]) {
  const passes: string[] = [];
  const cast = new Cast(scenarios, new Sfc32(1, 1), (scenario) => passes.push(scenarios[scenario]!.name));
  let call = 0;
  /** What the next call of somebody is: its item, and the call with which the pass began. */
  const act = (who: number) => {
    cast.begin(who);
    cast.find(call++, 1_000 + call);
    return [cast.item, cast.pass] as const;
  };
  return { cast, passes, act };
}

test('a user goes through its scenario over and over, with its pauses, and a pass shares its values', () => {
  const { cast, passes, act } = castOf(buyer);
  const who = cast.join();
  expect([cast.ownPauseMs, cast.isNewUnit]).toEqual([0, true]);
  expect(act(who)).toEqual([0, 1_001]);
  expect(cast.next(who, true, 1)).toBe(who);
  expect([cast.ownPauseMs, cast.isNewUnit], 'between two steps the load’s own think time is none').toEqual([15, false]);
  expect(act(who)).toEqual([1, 1_001]);
  expect(passes).toEqual([]);
  expect(cast.next(who, true, 1)).toBe(who);
  expect([cast.ownPauseMs, cast.isNewUnit]).toEqual([7, true]);
  expect(passes).toEqual(['buyer']);
  expect(act(who)).toEqual([0, 1_003]);
});

test('a step that fails ends the pass, which is not counted', () => {
  const { cast, passes, act } = castOf(buyer);
  const who = cast.join();
  act(who);
  expect(cast.next(who, false, 1)).toBe(who);
  expect(act(who)).toEqual([0, 1_002]);
  expect(passes).toEqual([]);
});

test('a call that is made anew is what it was, whoever is at work meanwhile', () => {
  const { cast, act } = castOf(buyer, clerk);
  const users = [cast.join(), cast.join(), cast.join(), cast.join()];
  const roles = users.map(act);
  for (const [call, role] of roles.entries()) {
    cast.begin(users[0]!);
    cast.find(call, 9_999);
    expect([cast.item, cast.pass]).toEqual(role);
  }
  expect(roles.map(([item]) => item).sort()).toEqual([0, 0, 0, 2]);
});

test('users are dealt to scenarios by their shares, at every number of them', () => {
  const { cast, act } = castOf(
    { ...buyer, users: 850 },
    { ...clerk, users: 200 },
    { ...clerk, name: 'owner', users: 200 },
  );
  const buyers: number[] = [];
  for (let user = 0; user < 1_250; user++) {
    const isBuyer = act(cast.join())[0] === 0;
    buyers.push((buyers.at(-1) ?? 0) + Number(isBuyer));
    expect(Math.abs(buyers[user]! - ((user + 1) * 850) / 1_250)).toBeLessThanOrEqual(1);
  }
  expect(buyers.at(-1)).toBe(850);
});

test('who arrives goes through as many passes as it came for, and leaves; its number is used again', () => {
  const { cast, passes } = castOf(clerk);
  const who = cast.arrive(2);
  expect([cast.isUser(who), cast.ownPauseMs]).toEqual([false, 100]);
  cast.begin(who);
  expect(cast.next(who, true, 1)).toBe(who);
  cast.begin(who);
  expect(cast.next(who, true, 1)).toBe(gone);
  expect(passes).toEqual(['clerk', 'clerk']);
  expect(cast.arrive(1)).toBe(who);
});

test('who leaves makes room for one of the same scenario', () => {
  const { cast, act } = castOf(buyer, clerk);
  const users = [cast.join(), cast.join(), cast.join(), cast.join()];
  const leaving = users.find((who) => act(who)[0] === 2)!;
  cast.leave(leaving);
  expect(act(cast.join())[0]).toBe(2);
});

test('what arrives is drawn by its share', () => {
  const { cast, act } = castOf(buyer, clerk);
  const items = Array.from({ length: 4_000 }, () => act(cast.arrive(1))[0]);
  expect(items.filter((item) => item === 2).length / 4_000).toBeCloseTo(0.25, 1);
});
