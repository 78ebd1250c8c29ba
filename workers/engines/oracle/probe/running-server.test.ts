import { expect, test } from 'vitest';
import { toErrorData } from '#model/error.ts';
import { isSame, oracleRunningServer, readServerParameters } from './running-server.ts';

const name = 'optimizer_index_cost_adj';

const usual = {
  ...{ value: '100', inherited: null as string | null, modifiable: 'IMMEDIATE', byPluggable: 'TRUE' as string | null },
  ...{ container: '3', lock: 0, cluster: 'NO', refused: null as [part: string, error: string] | null },
};

/** An instance with one parameter. `refused`: the error of statements that contain a text. */
function instance(more: Partial<typeof usual> = {}) {
  const { value, inherited, modifiable, byPluggable, container, lock, cluster, refused } = { ...usual, ...more };
  const sent: string[] = [];
  const ask = async (sql: string) => {
    if (refused && sql.includes(refused[0]))
      throw Object.assign(new Error(refused[1]), { code: refused[1].slice(0, 9) });
    sent.push(sql);
    if (sql.includes('v$instance')) return [[cluster]];
    if (sql.includes('DBMS_LOCK')) return [[lock]];
    if (!sql.startsWith('SELECT')) return [];
    return [inherited, value]
      .filter((one) => one !== null)
      .map((one) => [name, one, modifiable, byPluggable, container]);
  };
  return { ask, server: oracleRunningServer(ask, false), sent };
}

const refusalOf = async (more: Partial<typeof usual>) => (await instance(more).server.states([name]))[name]!.refusal;

test('a change is made in memory alone, and leaves the value of somebody else alone', async () => {
  const { server, sent } = instance();
  expect(await server.change({ [name]: { from: ['100'], to: '50' } })).toEqual([]);
  expect(sent.at(-1)).toBe(`ALTER SYSTEM SET ${name} = 50 SCOPE = MEMORY`);
  expect(await server.change({ [name]: { from: ['60'], to: '50' } })).toEqual([name]);
  expect(await server.change({ [name]: { from: ['60'], to: '100' } })).toEqual([]);
  await expect(server.change({ [name]: { from: ['100'], to: '1 SCOPE=SPFILE' } })).rejects.toThrow(
    'a number or a word',
  );
  expect(sent.filter((sql) => sql.startsWith('ALTER'))).toHaveLength(1);
});

test('a run gets back the value that it found', async () => {
  const { server, sent } = instance({ value: '50' });
  expect(await server.change({ [name]: { from: ['50'], to: '100' } })).toEqual([]);
  expect(sent.at(-1)).toBe(`ALTER SYSTEM SET ${name} = 100 SCOPE = MEMORY`);
});

test('a parameter that waits for a restart or for new sessions is refused, and so is a cluster', async () => {
  for (const [modifiable, why] of [
    ['FALSE', 'needs a restart'],
    ['DEFERRED', 'open sessions'],
  ] as const)
    expect(await refusalOf({ modifiable })).toContain(why);
  expect(await refusalOf({ value: '1, 2' })).toContain('could not give back');
  expect((await instance().server.states([name]))[name]).toEqual({ value: '100', entry: '100', refusal: null });
  await expect(instance({ cluster: 'YES' }).server.hold()).rejects.toThrow('cluster');
  await expect(oracleRunningServer(instance().ask, true).hold()).rejects.toThrow('pool');
  for (const [lock, isHeld] of [
    [0, true],
    [4, true],
    [1, false],
  ] as const)
    expect(await instance({ lock }).server.hold()).toBe(isHeld);
});

test('a pluggable database has its own values, and refuses parameters of the whole container database', async () => {
  const { server, sent } = instance({ value: '50', inherited: '100' });
  expect((await server.states([name]))[name]).toMatchObject({ value: '50' });
  expect(sent[0]).toMatch(/con_id IN \(0, .*CON_ID.*\)\s+ORDER BY con_id$/);
  expect(await refusalOf({ byPluggable: 'FALSE' })).toContain('root of the container database');
  expect(await refusalOf({ byPluggable: 'FALSE', container: '1' })).toBeNull();
  expect(await refusalOf({ byPluggable: null, container: '0' })).toBeNull();
});

test('a right that is missing is a permission, although the server says that there is no view or package', async () => {
  const failed = async (part: string, error: string, call: (one: ReturnType<typeof instance>) => Promise<unknown>) =>
    toErrorData(await call(instance({ refused: [part, error] })).catch((thrown: unknown) => thrown));
  const noView = 'ORA-00942: table or view does not exist';
  const noPackage = 'ORA-00904: "DBMS_LOCK"."REQUEST": invalid identifier';
  for (const [error, found] of [
    [noView, await failed('v$system_parameter', noView, ({ server }) => server.states([name]))],
    [noView, await failed('v$instance', noView, ({ server }) => server.hold())],
    [noPackage, await failed('DBMS_LOCK', noPackage, ({ server }) => server.hold())],
  ] as const)
    expect(found).toMatchObject({ kind: 'permission', code: error.slice(0, 9), message: error });
  // The server's own word for it, which errors.ts knows.
  const refused = 'ORA-01031: insufficient privileges';
  const change = { [name]: { from: ['100'], to: '50' } };
  expect(await failed('ALTER SYSTEM', refused, ({ server }) => server.change(change))).toMatchObject({
    code: 'ORA-01031',
  });
});

test('values are judged whatever their case and unit', async () => {
  expect(isSame('1M', '1048576')).toBe(true);
  expect(isSame('all_rows', 'ALL_ROWS')).toBe(true);
  expect(isSame('2', '1')).toBe(false);
  const { ask } = instance();
  expect(await readServerParameters(ask, { [name]: '50' })).toEqual({
    [name]: { value: '100', isAsked: false },
  });
});

test('a trial reads the value that its change has brought, and the instance gets its earlier one back', async () => {
  // An instance that keeps what ALTER SYSTEM has written.
  let value = '100';
  const { ask: answer, sent } = instance();
  const ask = async (sql: string) => {
    value = /^ALTER SYSTEM SET \w+ = (\S+) SCOPE = MEMORY$/.exec(sql)?.[1] ?? value;
    return (await answer(sql)).map((row) => row.map((one) => (one === usual.value ? value : one)));
  };
  const server = oracleRunningServer(ask, false);
  const inUse = async (asked: string | null) => (await readServerParameters(ask, { [name]: asked }))[name];
  expect(await server.hold()).toBe(true);
  const { entry } = (await server.states([name]))[name]!;
  expect(await server.change({ [name]: { from: [entry], to: '50' } })).toEqual([]);
  expect(await inUse('50')).toEqual({ value: '50', isAsked: true });
  // Somebody else sets a value: the trial does not have the one that it asked for, and Dyno leaves theirs.
  value = '70';
  expect(await inUse('50')).toEqual({ value: '70', isAsked: false });
  expect(await server.change({ [name]: { from: [entry, '50'], to: entry } })).toEqual([name]);
  value = '50';
  expect(await server.change({ [name]: { from: [entry, '50'], to: entry } })).toEqual([]);
  expect(await inUse(null)).toEqual({ value: '100', isAsked: true });
  expect(sent.filter((sql) => sql.startsWith('ALTER'))).toEqual(
    [50, 100].map((to) => `ALTER SYSTEM SET ${name} = ${to} SCOPE = MEMORY`),
  );
});
