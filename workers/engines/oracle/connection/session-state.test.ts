import { expect, test } from 'vitest';
import { failureOf } from '../../shared/failure.fixture.ts';
import { toError } from '../errors.ts';
import { counted, type SessionState } from './session-state.ts';

const failure = failureOf({ toError });

test('what the server said when it ended the session is not replaced by what follows from it', async () => {
  const state = { connection: {}, running: 0 } as SessionState;
  const call = (code: string, message: string) =>
    failure(counted(state, () => Promise.reject(Object.assign(new Error(`${code}: ${message}`), { code }))));
  const killed = { kind: 'serverGone', code: 'ORA-00028' };
  const said = 'connection to the Oracle Database was broken\nORA-00028: your session has been killed';
  expect(await call('ORA-00001', 'unique constraint violated')).toMatchObject({ kind: 'uniqueViolation' });
  expect(await call('NJS-500', said)).toMatchObject(killed);
  expect(await call('NJS-003', 'invalid or closed connection')).toMatchObject(killed);
  expect(state.running).toBe(0);
});
