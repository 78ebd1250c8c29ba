import { expect, test } from 'vitest';
import { CallTracker } from './call-tracker.ts';
import { numberRange } from './numbering.ts';

/** The number and the arguments of the next call that was prepared for a connection. */
function taken(tracker: CallTracker, connection: number): [number, unknown] {
  const call = tracker.takePrepared(connection);
  return [call, call === -1 ? null : tracker.preparedCall(call)];
}

test('calls are prepared again once those before are handed out', () => {
  const tracker = new CallTracker(numberRange(0, 100, 1));
  for (const call of ['a', 'b', 'c']) tracker.addPrepared(call, 2);
  expect(taken(tracker, 0)).toEqual([0, 'a']);
  expect(taken(tracker, 0)).toEqual([2, 'c']);
  expect(taken(tracker, 0)).toEqual([-1, null]);
  expect(tracker.takeUnprepared()).toBe(3);
  // Call 1 is left, and call 3 is none of those that follow it.
  expect(tracker.mayPrepare).toBe(false);

  expect(taken(tracker, 1)).toEqual([1, 'b']);
  expect(tracker.mayPrepare).toBe(true);
  for (const call of ['d', 'e']) tracker.addPrepared(call, 2);
  expect(tracker.mayPrepare).toBe(true);
  expect(taken(tracker, 1)).toEqual([5, 'e']);
  expect(tracker.takeOver()).toBe(4);
  expect(tracker.mayPrepare).toBe(true);
  expect(tracker.handedOut).toBe(6);
});
