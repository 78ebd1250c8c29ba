import type oracledb from 'oracledb';
import { expect, test } from 'vitest';
import { createWaits } from './waits.ts';

type Rows = readonly (readonly (string | number | null)[])[];

/** A connection that answers as an Exadata does, by view, and the queries that it was sent. */
function connection(answers: Readonly<Record<string, Rows | Error>>) {
  const asked: string[] = [];
  const execute = async (sql: string) => {
    asked.push(sql);
    const answer = answers[/FROM (v\$\w+)/.exec(sql)?.[1] ?? ''] ?? [];
    if (answer instanceof Error) throw answer;
    return { rows: answer };
  };
  return { asked, client: { execute } as unknown as oracledb.Connection };
}

const events: Rows = [
  ['direct path read temp', 'User I/O', 9_322, 7_600_000],
  ['direct path write temp', 'User I/O', 410, 900_000],
  ['cell single block physical read', 'User I/O', 120, 60_000],
  ['log file sync', 'Commit', 3, 1_500],
];

test('all events are waits with the server’s own class and histogram', async () => {
  const histogram: Rows = [
    ['direct path read temp', 512, 9_000],
    ['direct path read temp', 1_024, 322],
    ['SQL*Net message from client', 4_194_304, 12],
  ];
  const { client, asked } = connection({ v$system_event: events, v$event_histogram_micro: histogram });
  expect(await createWaits(client)()).toEqual([
    {
      ...{ name: 'direct path read temp', class: 'User I/O', count: 9_322, totalUs: 7_600_000, longestUs: null },
      buckets: [
        [512, 9_000],
        [1_024, 322],
      ],
    },
    { name: 'direct path write temp', class: 'User I/O', count: 410, totalUs: 900_000, longestUs: null },
    { name: 'cell single block physical read', class: 'User I/O', count: 120, totalUs: 60_000, longestUs: null },
    { name: 'log file sync', class: 'Commit', count: 3, totalUs: 1_500, longestUs: null },
  ]);
  expect(asked[0]).toContain("wait_class <> 'Idle'");
  for (const sql of asked) expect(sql).not.toMatch(/active_session_history|dba_hist/i);
});

const refused = (code: string) => Object.assign(new Error(`${code}: no`), { code });

test('a view that may not be read is not asked again, and a histogram that may not be read costs no waits', async () => {
  const without = connection({ v$system_event: events, v$event_histogram_micro: refused('ORA-00942') });
  const waits = createWaits(without.client);
  expect((await waits())?.map(({ name, buckets }) => [name, buckets])[0]).toEqual(['direct path read temp', undefined]);
  await waits();
  expect(without.asked.filter((sql) => sql.includes('histogram'))).toHaveLength(1);
  expect(await createWaits(connection({ v$system_event: refused('ORA-00942') }).client)()).toBeNull();
});

test('a server that is gone is no missing right', async () => {
  await expect(createWaits(connection({ v$system_event: refused('NJS-500') }).client)()).rejects.toThrow('NJS-500');
});
