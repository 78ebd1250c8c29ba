import { expect, test } from 'vitest';
import { settingsSql } from './session-settings.ts';

test('one query reads what views and @@OPTIONS report of the own session', () => {
  expect(settingsSql(['lock_timeout', 'ARITHABORT', 'XACT_ABORT'])).toBe(
    "SELECT CONVERT(varchar(20), lock_timeout) AS v0, IIF(arithabort = 1, 'ON', 'OFF') AS v1, IIF(@@OPTIONS & 16384 <> 0, 'ON', 'OFF') AS v2 FROM sys.dm_exec_sessions WHERE session_id = @@SPID",
  );
});

test('nothing is asked about settings that nothing reports', () => {
  expect(settingsSql(['FORCEPLAN', 'constructor'])).toBeNull();
});
