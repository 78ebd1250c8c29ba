import { expect, test } from 'vitest';
import { isSame, oracleRunningServer, readServerParameters } from './running-server.ts';

const name = 'optimizer_index_cost_adj';

/** An instance with one parameter. */
function instance({ value = '100', modifiable = 'IMMEDIATE', lock = 0, cluster = 'NO' } = {}) {
  const sent: string[] = [];
  const ask = async (sql: string) => {
    sent.push(sql);
    if (sql.includes('v$instance')) return [[cluster]];
    if (sql.includes('DBMS_LOCK')) return [[lock]];
    return sql.startsWith('SELECT') ? [[name, value, modifiable]] : [];
  };
  return { ask, server: oracleRunningServer(ask, false), sent };
}

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

test('a parameter that waits for a restart or for new sessions is refused, and so is a cluster', async () => {
  for (const [modifiable, why] of [
    ['FALSE', 'needs a restart'],
    ['DEFERRED', 'open sessions'],
  ] as const)
    expect((await instance({ modifiable }).server.states([name]))[name]!.refusal).toContain(why);
  expect((await instance({ value: '1, 2' }).server.states([name]))[name]!.refusal).toContain('could not give back');
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

test('values are judged whatever their case and unit', async () => {
  expect(isSame('1M', '1048576')).toBe(true);
  expect(isSame('all_rows', 'ALL_ROWS')).toBe(true);
  expect(isSame('2', '1')).toBe(false);
  const { ask } = instance();
  expect(await readServerParameters(ask, { [name]: '50' })).toEqual({
    [name]: { value: '100', isAsked: false },
  });
});
