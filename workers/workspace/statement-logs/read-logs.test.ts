import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { descriptor } from '#engines/postgres/descriptor.ts';
import { balanceTexts } from './balance-text.ts';
import { partsOf, readText } from './logs.fixture.ts';
import { createTexts } from './read-texts.ts';

const canary = 'Ann Canary';
type Logs = Awaited<ReturnType<typeof readText>>;

const callsOf = ({ kept }: Logs) => Object.fromEntries(kept.statements.map(({ text, calls }) => [text, calls]));
const unreadableIn = ({ files }: Logs) => files[0]!.unreadable;

const csvLine = (message: string, { severity = 'LOG', detail = '', session = '6a1.1' } = {}) =>
  `2026-12-01 03:00:00.123 UTC,"app","shop",42,"127.0.0.1:5000",${session},1,"SELECT",2026-12-01 02:00:00 UTC,3/4,0,${severity},00000,"${message.replaceAll('"', '""')}","${detail}",,,,,,,,"app","client backend",,0`;
const selectName = (id: number) => `duration: 0.250 ms  statement: SELECT name FROM customers WHERE id = ${id}`;
const csv = (...messages: readonly string[]) => `${messages.join('\n')}\n`;

describe('what a file has beside readable entries', () => {
  test('a damaged line is named by its number, and what is around it is read', async () => {
    const rows = [
      csvLine(selectName(1)),
      `2026-12-01 03:00:00.123 UTC,"app","shop",42,too few columns ${canary}`,
      csvLine(selectName(2)),
      csvLine(`duration: 1 ms  statement: SELECT '${canary}`).slice(0, 190),
      csvLine(selectName(3)),
      `no row at all ${canary}`,
      csvLine(selectName(4)),
    ];
    const logs = await readText(csv(...rows));
    expect(callsOf(logs)).toEqual({ 'SELECT name FROM customers WHERE id = ?': 4 });
    expect(unreadableIn(logs)).toEqual({ first: [2, 4, 6], count: 3 });
    expect(partsOf(logs.balance)).toBe(logs.balance.entries);
    const told = balanceTexts(logs).join('\n');
    expect(told).toContain('7 entries. 4 tell of calls, 3 cannot be read.');
    expect(told).toContain('Not readable: lines 2, 4, 6.');
    expect(JSON.stringify(logs) + told).not.toContain('Canary');
  });

  test('many damaged lines: the first five are named, the others counted', async () => {
    const logs = await readText(csv(csvLine(selectName(1)), ...Array.from({ length: 20 }, () => 'damaged')));
    expect(unreadableIn(logs)).toEqual({ first: [2, 3, 4, 5, 6], count: 20 });
    expect(balanceTexts(logs)[1]).toContain('Not readable: lines 2, 3, 4, 5, 6 and 15 more.');
  });

  test('line ends of Windows, NUL bytes, invalid UTF-8 and a mark of UTF-16 or UTF-8', async () => {
    const rows = csv(csvLine(selectName(1)), csvLine(`duration: 1 ms  statement: SELECT at\nFROM t WHERE a = 'x\0y'`));
    const expected = { 'SELECT name FROM customers WHERE id = ?': 1, 'SELECT at FROM t WHERE a = ?': 1 };
    expect(callsOf(await readText(rows))).toEqual(expected);
    expect(callsOf(await readText(rows.replaceAll('\n', '\r\n')))).toEqual(expected);
    expect(callsOf(await readText(`\ufeff${rows}`))).toEqual(expected);
    expect(callsOf(await readText(Buffer.from(`\ufeff${rows}`, 'utf16le')))).toEqual(expected);
    const bytes = Buffer.from(rows);
    bytes[bytes.indexOf('x\0y')] = 0xe9;
    expect(callsOf(await readText(bytes))).toEqual(expected);
  });

  test('a compressed file that is cut: what is in front of the cut is read', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => csvLine(selectName(i * 7_919)));
    const whole = gzipSync(csv(...rows));
    const logs = await readText(whole.subarray(0, whole.length / 2), {}, 'server.csv.gz');
    const [calls] = Object.values(callsOf(logs));
    expect(calls).toBeGreaterThan(1_000);
    expect(calls).toBeLessThan(20_000);
    expect(logs.files[0]!.isDamaged).toBe(true);
    expect(balanceTexts(logs)[1]).toContain('cut or damaged');
  });

  test('a line of 50 MB is read in part, and the entries around it as a whole', async () => {
    const long = csvLine(`duration: 1 ms  statement: SELECT '${'x'.repeat(50_000_000)}' FROM t`);
    const logs = await readText(csv(csvLine(selectName(1)), long, csvLine(selectName(2))));
    expect(callsOf(logs)).toEqual({ 'SELECT name FROM customers WHERE id = ?': 2 });
    expect(logs.files[0]).toMatchObject({ cut: 1, lines: 3, unreadable: { first: [2], count: 1 } });
  });

  test('a file of no known format, and an empty one, are refused without their content', async () => {
    await expect(readText(`${canary}\nhello\n`, {}, 'notes.log')).rejects.toMatchObject({
      message: 'The format of notes.log is not recognised.',
      data: { hint: expect.stringContaining('PostgreSQL csvlog') },
    });
    await expect(readText('', {}, 'nothing.log')).rejects.toThrow('nothing.log is empty.');
    await expect(readText('SELECT 1;\n', {}, 'mine.sql')).rejects.toMatchObject({
      data: { hint: expect.stringContaining('dyno draft') },
    });
  });
});

describe('stderr of PostgreSQL', () => {
  const entry = (pid: number, level: string, message: string) =>
    `2026-12-01 03:00:00.123 UTC [${pid}] app@shop ${level}:  ${message}`;

  test('entries of sessions that are interleaved, lines of texts, and details', async () => {
    const log = [
      '\tthe end of an entry in the file before',
      entry(1, 'LOG', 'duration: 1.5 ms  execute <unnamed>: SELECT a FROM t'),
      '\tWHERE b = $1 AND c = $2',
      entry(2, 'LOG', 'duration: 2 ms  execute s1/p1: SELECT d FROM u WHERE e = $1'),
      entry(1, 'DETAIL', `Parameters: $1 = '${canary}, $9 = ''x''', $2 = NULL`),
      entry(2, 'DETAIL', "parameters: $1 = '2026-01-02 03:04:05'"),
      entry(1, 'LOG', 'duration: 0.1 ms  bind <unnamed>: SELECT a FROM t'),
      '\tWHERE b = $1 AND c = $2',
      entry(3, 'LOG', 'checkpoint starting: time'),
    ].join('\n');
    const logs = await readText(log);
    expect(callsOf(logs)).toEqual({ 'SELECT a FROM t WHERE b = $1 AND c = $2': 1, 'SELECT d FROM u WHERE e = $1': 1 });
    const [d, a] = logs.kept.statements;
    expect(d!.values).toMatchObject([{ kind: 'timestamp' }]);
    expect(a).toMatchObject({ meanMs: 1.6, values: [{ kind: 'text', most: canary.length + 10 }, { kind: null }] });
    expect(logs.balance).toMatchObject({ calls: 2, parts: 1, messages: 3 });
    expect(unreadableIn(logs)).toEqual({ first: [1], count: 1 });
    expect(JSON.stringify(logs)).not.toContain('Canary');
  });

  test.each([
    [
      '%t [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ',
      '2026-12-01 03:00:00 UTC [7]: [1-1] user=u,db=shop,app=my app,client=::1 ',
    ],
    ['%t:%r:%u@%d:[%p]:', '2026-12-01 03:00:00 UTC:10.0.0.1(5000):u@shop:[7]:'],
    ['%m [%p] %q%u@%d ', '2026-12-01 03:00:00.001 UTC [7] u@shop '],
    ['<%n %c %d> ', '<1796094000.123 6a1f.2b shop> '],
  ])('the prefix %s, given or recognised', async (prefix, head) => {
    const log = [1, 2, 3].map((id) => `${head}LOG:  ${selectName(id)}\n`).join('');
    for (const given of [prefix, null]) {
      const logs = await readText(log, { prefix: given, format: 'postgres-stderr' });
      expect(callsOf(logs), String(given)).toEqual({ 'SELECT name FROM customers WHERE id = ?': 3 });
    }
    const { databases, kept } = await readText(log, { prefix });
    expect(databases).toEqual([['shop', 3]]);
    expect(kept.since).toMatch(/^2026-12-01T0[23]:/);
  });
});

test('a slow log of MySQL: details, sessions’ databases, comments that look like heads, cut texts', async () => {
  const head = (time: string) =>
    `# Time: ${time}\n# User@Host: app[app] @ web [10.0.0.2]  Id:     8\n# Query_time: 0.250000  Lock_time: 0.000001 Rows_sent: 2  Rows_examined: 900 Thread_id: 8 Errno: 0\n`;
  const log = [
    '/usr/sbin/mysqld, Version: 8.4.3 (MySQL Community Server - GPL). started with:\nTcp port: 3306  Unix socket: /x\nTime                 Id Command    Argument\n',
    `${head('2026-12-01T03:00:00.000001Z')}use shop;\nSET timestamp=1796094000;\nSELECT a FROM t\n# Query_time: not a head\nWHERE b = '${canary};';\n`,
    `${head('2026-12-01T03:00:01.000001Z')}SET timestamp=1796094001;\n# administrator command: Prepare;\n`,
    `${head('2026-12-01T03:00:02.000001Z')}SET timestamp=1796094002;\nSELECT a FROM t WHERE b = 'x';\n`,
    `# Time: 2026-12-01T03:00:03.000001Z\n# User@Host: app[app] @ web []  Id: 8\n`,
  ].join('');
  const logs = await readText(log);
  expect(callsOf(logs)).toEqual({ 'SELECT a FROM t WHERE b = ?': 2 });
  expect(logs.kept.statements[0]).toMatchObject({ meanMs: 250, rowsPerCall: 2 });
  expect(logs.databases).toEqual([['shop', 2]]);
  expect(logs.balance).toMatchObject({ calls: 2, messages: 1 });
  expect(unreadableIn(logs)).toEqual({ first: [22], count: 1 });
  const later = await readText(log, { since: Date.parse('2026-12-01T03:00:01.5Z') });
  expect(later.balance).toMatchObject({ calls: 1, before: 1 });
});

test('reports of pgBadger and of pt-query-digest', async () => {
  const report = {
    normalyzed_info: {
      shop: {
        'select name from customers where id = ?;': {
          ...{ count: 5, duration: 10 },
          samples: { '2': { query: 'SELECT name FROM customers WHERE id = 4711;', bind: null } },
        },
        'select a from t where b =;': {
          count: 1,
          duration: 1,
          samples: { '1': { query: 'SELECT a FROM t WHERE b = ;', bind: 1 } },
        },
      },
    },
    nlines: 9,
  };
  for (const text of [JSON.stringify(report), JSON.stringify(report, null, 2)]) {
    const logs = await readText(text);
    expect(callsOf(logs)).toEqual({ 'SELECT name FROM customers WHERE id = ?': 5 });
    expect(logs.kept.statements[0]!.meanMs).toBe(2);
    expect(logs.kept.others).toMatchObject([{ kind: 'cut', calls: 1 }]);
  }
  const metrics = { Query_time: { sum: '0.5' }, Rows_sent: { sum: '10' }, db: { value: 'shop' } };
  const classes = [
    { query_count: 5, metrics, checksum: 'A', example: { query: `SELECT a FROM t WHERE b = '${canary}'\\G` } },
    { query_count: 1, metrics, checksum: 'B', fingerprint: 'select c from t where d = ?' },
  ];
  const logs = await readText(`\n${JSON.stringify({ classes })}`);
  expect(callsOf(logs)).toEqual({ 'SELECT a FROM t WHERE b = ?': 5, 'select c from t where d = ?': 1 });
  expect(logs.kept.statements).toMatchObject([
    { meanMs: 100, rowsPerCall: 2 },
    { meanMs: 500, rowsPerCall: 10 },
  ]);
});

test('more different texts than memory is for: the rarest are counted together, and nothing is lost', async () => {
  const rows: string[] = [];
  for (let i = 0; i < 25_000; i++) {
    rows.push(csvLine(`duration: 1 ms  statement: SELECT c${i} FROM t`));
    if (i % 2 === 0) rows.push(csvLine(selectName(i)));
  }
  const { kept } = await readText(csv(...rows));
  expect(kept.statements).toHaveLength(200);
  expect(kept.statements[0]).toMatchObject({ text: 'SELECT name FROM customers WHERE id = ?', calls: 12_500 });
  expect(kept.others).toMatchObject([{ kind: 'rare' }]);
  expect(kept.totalCalls).toBe(37_500);
  expect(kept.others[0]!.calls + kept.statements.reduce((sum, { calls }) => sum + calls, 0)).toBe(37_500);
});

test('values are kept only where they are asked for', async () => {
  const log = csv(
    ...[7, 7, 8].map((id) => csvLine(`duration: 1 ms  statement: SELECT a FROM t WHERE b = ${id} AND c = '${canary}'`)),
  );
  const valuesOf = async (keepValues: boolean) => (await readText(log, { keepValues })).kept.statements[0]!.values!;
  expect(JSON.stringify(await valuesOf(false))).not.toMatch(/Canary|kept/);
  expect((await valuesOf(true)).map(({ kept }) => kept)).toEqual([
    [
      ['7', 2],
      ['8', 1],
    ],
    [[canary, 3]],
  ]);
});

test('a text that is read by its literals alone has the text that its tokens have', () => {
  const texts = [
    "SELECT a FROM t WHERE b = 'x' AND c = 5 ORDER BY 1",
    "SELECT a FROM t WHERE b = 'y''; DROP' AND c = 6 ORDER BY 2",
    "SELECT a FROM t WHERE d > now() - INTERVAL '1' DAY LIMIT 5",
    "SELECT a FROM t WHERE d > now() - INTERVAL '2' DAY LIMIT 6",
    'SELECT "a 5", t1.b FROM t1 WHERE c = 1.5 AND d = $1',
    'SELECT "a 6", t1.b FROM t1 WHERE c = 2.5 AND d = $2',
    "SELECT CAST(a AS numeric(12,2)) FROM t WHERE b = E'it\\'s' AND c = 5",
    "SELECT a FROM t WHERE b = 'x' -- it's\n AND c = 7",
  ];
  const shared = createTexts(descriptor.statements!);
  for (const text of [...texts, ...texts.toReversed()])
    expect(shared(text, false).counted, text).toEqual(createTexts(descriptor.statements!)(text, false).counted);
});
