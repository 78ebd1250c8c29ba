import { expect, test } from 'vitest';
import { readSettings } from './session-settings.ts';

const answering = (answer: () => unknown) =>
  ({ execute: async () => answer() }) as unknown as Parameters<typeof readSettings>[0];

test('values come from V$PARAMETER, whose names are in lower case', async () => {
  const connection = answering(() => ({ rows: [['optimizer_mode', 'FIRST_ROWS']] }));
  expect(await readSettings(connection, ['OPTIMIZER_MODE', 'query_rewrite_enabled'])).toEqual({
    OPTIMIZER_MODE: 'FIRST_ROWS',
    query_rewrite_enabled: null,
  });
});

test('a user who may not read the view gets no values and no error; a lost connection is one', async () => {
  const failing = (code: string, message: string) =>
    answering(() => {
      throw Object.assign(new Error(`${code}: ${message}`), { code, errorNum: Number(code.slice(4)) });
    });
  expect(await readSettings(failing('ORA-00942', 'table or view does not exist'), ['optimizer_mode'])).toEqual({
    optimizer_mode: null,
  });
  await expect(
    readSettings(failing('ORA-03113', 'end-of-file on communication channel'), ['optimizer_mode']),
  ).rejects.toThrow('ORA-03113');
});
