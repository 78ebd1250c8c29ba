import type { Connection } from 'tedious';
import { expect, test, vi } from 'vitest';
import { query } from '../wire/request.ts';
import { holdSql, readServerParameters, sqlserverRunningServer, statesSql } from './running-server.ts';

vi.mock('../wire/request.ts', async (original) => ({ ...(await original<object>()), query: vi.fn() }));

const name = 'max degree of parallelism';
const usual = { name, configured: 8, used: 8, is_dynamic: true, is_advanced: true, shown: 1, pending: null };
const sent: string[] = [];

/** A server that answers with one state. */
function server(state: Partial<Omit<typeof usual, 'pending'>> & { readonly pending?: string } = {}, got = 0) {
  sent.length = 0;
  vi.mocked(query).mockImplementation(async (_, sql) => {
    sent.push(sql);
    return (sql === holdSql ? [{ got }] : sql === statesSql([name]) ? [{ ...usual, ...state }] : []) as never;
  });
  return sqlserverRunningServer({} as Connection);
}

test('a change runs sp_configure and RECONFIGURE in one batch, and leaves the value of somebody else alone', async () => {
  expect(await server().change({ [name]: { from: ['8'], to: '4' } })).toEqual([]);
  expect(sent.at(-1)).toBe(`EXEC sys.sp_configure N'${name}', 4;\nRECONFIGURE;`);
  expect(await server({ configured: 2, used: 2 }).change({ [name]: { from: ['4'], to: '8' } })).toEqual([name]);
  expect(await server().change({ [name]: { from: ['4'], to: '8' } })).toEqual([]);
  expect(sent).toEqual([statesSql([name])]);
  await expect(server().change({ [name]: { from: ['8'], to: '4; DROP' } })).rejects.toThrow('takes a number');
  expect(sent).toEqual([statesSql([name])]);
});

test('an option whose earlier value is negative gets it back', async () => {
  expect(await server({ configured: 30, used: 30 }).change({ [name]: { from: ['30'], to: '-1' } })).toEqual([]);
  expect(sent.at(-1)).toBe(`EXEC sys.sp_configure N'${name}', -1;\nRECONFIGURE;`);
});

test('an option that a killed process has given back without RECONFIGURE is taken over', async () => {
  expect(await server({ used: 4 }).change({ [name]: { from: ['4'], to: '8' } })).toEqual([]);
  expect(sent.at(-1)).toBe(`EXEC sys.sp_configure N'${name}', 8;\nRECONFIGURE;`);
});

test('an option that needs a restart, is not shown, or would take another one along is refused with the reason', async () => {
  const refusal = async (state: Parameters<typeof server>[0]) => (await server(state).states([name]))[name]!.refusal;
  expect(await refusal({})).toBeNull();
  expect(await refusal({ is_dynamic: false })).toContain('needs a restart');
  expect(await refusal({ shown: 0 })).toContain('show advanced options');
  expect(await refusal({ pending: 'xp_cmdshell' })).toContain('xp_cmdshell is configured and not in use yet');
  expect(await refusal({ pending: name, used: 4 })).toContain('configured as 8, and 4 is in use');
  // Options that are not advanced are always shown.
  expect(await refusal({ is_advanced: false, shown: 0 })).toBeNull();
  expect((await server().states([name, 'none'])).none).toMatchObject({ value: null });
});

test('the lock is taken where the procedure says so, and values in use are judged as numbers', async () => {
  expect(await server({}, 1).hold()).toBe(true);
  expect(await server({}, -1).hold()).toBe(false);
  server();
  expect(await readServerParameters({} as Connection, { [name]: '08' })).toEqual({
    [name]: { value: '8', isAsked: true },
  });
  expect(await readServerParameters({} as Connection, { [name]: '4' })).toEqual({
    [name]: { value: '8', isAsked: false },
  });
});

test('an error of the procedure or of RECONFIGURE leaves as it came, and nothing is sent after it', async () => {
  const denied = Object.assign(new Error('You do not have permission to run the RECONFIGURE statement.'), {
    number: 5812,
  });
  const one = server();
  vi.mocked(query).mockImplementation(async (_, sql) => {
    sent.push(sql);
    if (sql.includes('sp_configure')) throw denied;
    return [usual] as never;
  });
  await expect(one.change({ [name]: { from: ['8'], to: '4' } })).rejects.toBe(denied);
  expect(sent.at(-1)).toBe(`EXEC sys.sp_configure N'${name}', 4;\nRECONFIGURE;`);
});

test('a trial reads the value that its change has brought, and the server gets its earlier one back', async () => {
  // A server that keeps what sp_configure has written, and uses it from RECONFIGURE on.
  const kept = { configured: 8, used: 8 };
  sent.length = 0;
  vi.mocked(query).mockImplementation(async (_, sql) => {
    sent.push(sql);
    const to = /sp_configure N'[^']+', (-?\d+);/.exec(sql)?.[1];
    if (to !== undefined) kept.configured = Number(to);
    if (sql.includes('RECONFIGURE;')) kept.used = kept.configured;
    return (sql === holdSql ? [{ got: 0 }] : sql === statesSql([name]) ? [{ ...usual, ...kept }] : []) as never;
  });
  const running = sqlserverRunningServer({} as Connection);
  const inUse = async (asked: string | null) => (await readServerParameters({} as Connection, { [name]: asked }))[name];
  expect(await running.hold()).toBe(true);
  const { entry } = (await running.states([name]))[name]!;
  expect(await running.change({ [name]: { from: [entry], to: '4' } })).toEqual([]);
  expect(await inUse('4')).toEqual({ value: '4', isAsked: true });
  // Somebody else writes a value without RECONFIGURE: the trial still has the one in use, and Dyno leaves theirs.
  kept.configured = 2;
  expect(await inUse('4')).toEqual({ value: '4', isAsked: true });
  expect(await running.change({ [name]: { from: [entry, '4'], to: entry } })).toEqual([name]);
  kept.configured = 4;
  expect(await running.change({ [name]: { from: [entry, '4'], to: entry } })).toEqual([]);
  expect(await inUse(null)).toEqual({ value: '8', isAsked: true });
  expect(sent.filter((sql) => sql.startsWith('EXEC sys'))).toEqual(
    [4, 8].map((value) => `EXEC sys.sp_configure N'${name}', ${value};\nRECONFIGURE;`),
  );
});
