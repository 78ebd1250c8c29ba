import { expect, test } from 'vitest';
import type { MysqlConnection } from '../connection/connection.ts';
import { createWaits, waitTotals } from './waits.ts';

test('the class of an event is the part of its name after “wait”', () => {
  expect(
    waitTotals([
      ['wait/io/file/innodb/innodb_data_file', '12', '3400', '900'],
      ['wait/synch/mutex/sql/LOCK_open', 4, 20, 9],
    ]),
  ).toEqual([
    {
      ...{ name: 'wait/io/file/innodb/innodb_data_file', class: 'io/file' },
      ...{ count: 12, totalUs: 3_400, longestUs: 900 },
    },
    { name: 'wait/synch/mutex/sql/LOCK_open', class: 'synch/mutex', count: 4, totalUs: 20, longestUs: 9 },
  ]);
});

test('nothing is asked where performance_schema is off, and a refusal is not asked again', async () => {
  const asked: string[] = [];
  const client = (isOn: number) =>
    ({
      query: async (sql: string) => {
        asked.push(sql);
        if (sql.includes('@@')) return { rows: [[isOn]] };
        throw Object.assign(new Error('SELECT command denied'), { errno: 1_142, code: 'ER_TABLEACCESS_DENIED_ERROR' });
      },
    }) as unknown as MysqlConnection;
  const off = createWaits(client(0));
  expect([await off(), await off(), asked.length]).toEqual([null, null, 1]);
  const refused = createWaits(client(1));
  expect([await refused(), await refused(), asked.length]).toEqual([null, null, 3]);
});
