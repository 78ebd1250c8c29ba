import { expect, test } from 'vitest';
import type { CallRequest } from '../wire/call-request.ts';
import { batchedCalls } from './batched-calls.ts';

/** A path that keeps the requests. `parses`: for each request since the last look, whether it brings the statement. */
function keepingPath() {
  const held: CallRequest[] = [];
  const path = { hold: (request: CallRequest) => void held.push(request), sendHeld() {} };
  const parses = () => held.splice(0).map((request) => Buffer.from(request.messagesFor({})).includes('INSERT'));
  return { path, held, parses };
}
const statement = { name: 'dyno_1', text: 'INSERT INTO t VALUES ($1)' };
const nobody = { answered() {}, failed() {} };
const callOf = (...types: readonly number[]) => ({ messages: Buffer.from('B'), types });

test('calls bring the statement only where the types of their parameters differ from those of the call before', () => {
  const { path, parses } = keepingPath();
  const { start } = batchedCalls(path, statement);
  for (const call of [callOf(), callOf(), callOf(701), callOf(701), callOf(), callOf(701, 25), callOf(701, 25)])
    start!(call, nobody);
  expect(parses()).toEqual([false, false, true, false, true, true, false]);
});

test('after a failed call the statement comes again, because the server may not have it', async () => {
  const { path, held, parses } = keepingPath();
  const { start } = batchedCalls(path, statement);
  const failed = new Promise((resolve) => start!(callOf(701), { answered() {}, failed: resolve }));
  held[0]!.handleError('refused');
  expect(await failed).toBe('refused');
  parses();
  for (const call of [callOf(701), callOf(701)]) start!(call, nobody);
  expect(parses()).toEqual([true, false]);
});
