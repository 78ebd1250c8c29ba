import { expect, test } from 'vitest';
import { beginText } from './own-transactions.ts';

test.each([
  [{}, 'BEGIN'],
  [{ default_transaction_read_only: 'on' }, 'BEGIN READ ONLY'],
  // Whatever case the user has written: what Dyno adds last decides.
  [{ Default_Transaction_Read_Only: 'off', default_transaction_read_only: 'on' }, 'BEGIN READ ONLY'],
  [
    { default_transaction_isolation: 'REPEATABLE READ', default_transaction_deferrable: 'true' },
    'BEGIN ISOLATION LEVEL REPEATABLE READ, DEFERRABLE',
  ],
  [
    { work_mem: '4MB', search_path: "a, 'b'", default_transaction_read_only: 'on' },
    "BEGIN READ ONLY; SELECT set_config('work_mem', '4MB', true), set_config('search_path', 'a, ''b''', true)",
  ],
])('%j is made by the transaction itself', (settings: Readonly<Record<string, string>>, text) => {
  expect(beginText(settings)).toBe(text);
});

test('nothing but a level stands where the level is written', () => {
  const settings = { default_transaction_isolation: 'serializable; DROP TABLE t' };
  expect(() => beginText(settings)).toThrow(/no isolation level/);
});
