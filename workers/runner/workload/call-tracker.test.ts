import { expect, test } from 'vitest';
import { CallTracker } from './call-tracker.ts';
import { numberRange } from './numbering.ts';

test('calls may be prepared again while some of those before are left', () => {
  const tracker = new CallTracker(numberRange(0, 100, 1));
  const taken = (connection: number) => {
    const call = tracker.takePrepared(connection);
    return call === -1 ? null : [call, tracker.preparedCall(connection)];
  };
  tracker.addPrepared('a', 0);
  tracker.addPrepared('b', 1);
  tracker.addPrepared('c', 0);
  expect([taken(0), taken(0), taken(0)]).toEqual([[0, 'a'], [2, 'c'], null]);
  expect(tracker.takeUnprepared()).toBe(3);
  expect(tracker.preparedLeft).toBe(1);

  tracker.addPrepared('d', 0);
  tracker.addPrepared('e', 1);
  expect(tracker.nextCall).toBe(6);
  expect([taken(1), taken(0), taken(0)]).toEqual([[1, 'b'], [4, 'd'], null]);
  expect(tracker.preparedLeft).toBe(1);
  expect(tracker.takeOver()).toBe(5);
  expect([tracker.preparedLeft, taken(1), tracker.takeOver()]).toEqual([0, null, -1]);
  expect(tracker.handedOut).toBe(6);
});
