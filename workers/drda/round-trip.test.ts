import { describe, expect, test } from 'vitest';
import { codePoints } from './ddm/code-points.ts';
import type { Value } from './fdoca/parameters.ts';
import { type Random, seeded } from './random.fixture.ts';
import {
  ddm,
  dss,
  endOfRows,
  objectType,
  parameters,
  qrydsc,
  qrydta,
  RequestReader,
  replyType,
  rowData,
  sqlcard,
  sqldard,
} from './server.fixture.ts';
import { dialectOf, type ServerDialect } from './session/dialect.ts';
import { stubConnection } from './stub.fixture.ts';
import { type SampleType, sampleTypes } from './types.fixture.ts';

/** Derby 10.4, and the forks of it. */
const fork = dialectOf('Apache Derby', 'CSS10041/10.4.2.0');

const rowsPerType = 400;
const mixedTables = 60;

/** Results are compared as they are: bytes as bytes, numbers with their sign of zero. */
const plain = (rows: readonly (readonly Value[])[]): unknown =>
  rows.map((row) => row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)));

function sampleRows(types: readonly SampleType[], count: number, random: Random): Value[][] {
  return Array.from({ length: count }, () => types.map((type) => (random.unit() < 0.1 ? null : type.value(random))));
}

/** A statement whose parameters, and whose result, have these types. */
async function prepared(types: readonly SampleType[], dialect?: ServerDialect) {
  const { socket, connection } = stubConnection({}, dialect);
  const described = types.map((type) => type.described);
  const preparing = connection.prepare('stub');
  socket.arrive(dss(objectType, 1, true, sqldard(described)), dss(objectType, 2, false, sqldard(described)));
  return { socket, connection, statement: await preparing };
}

async function sentRows(types: readonly SampleType[], rows: readonly (readonly Value[])[], lobStatus: boolean) {
  const { socket, connection } = stubConnection({}, lobStatus ? undefined : fork);
  const preparing = connection.prepare('stub');
  socket.arrive(
    dss(objectType, 1, true, sqlcard()),
    dss(objectType, 2, false, sqldard(types.map((type) => type.described))),
  );
  const statement = await preparing;
  socket.written.length = 0;
  const executing = statement.execute(statement.encode(rows));
  const [chain] = new RequestReader().push(Buffer.concat(socket.written));
  socket.arrive(
    Buffer.concat(rows.map((_, row) => dss(objectType, row + 1, row < rows.length - 1, sqlcard({ rows: 1 })))),
  );
  expect(await executing).toBe(rows.length);
  expect(chain!.map(({ codePoint }) => codePoint)).toEqual(rows.map(() => codePoints.EXCSQLSTT));
  return chain!.map((command) => parameters(command, lobStatus).values);
}

/** Rows in blocks of random sizes, each row's bytes cut anywhere; LOBs come after the block in which their row ends. */
async function fetchedRows(
  types: readonly SampleType[],
  rows: readonly (readonly Value[])[],
  random: Random,
  dialect?: ServerDialect,
) {
  const { socket, statement } = await prepared(types, dialect);
  const wires = types.map((type) => type.wire);
  const opening = statement.open(types.length > 0 ? statement.encode([types.map(() => null)]) : null);
  socket.arrive(
    dss(replyType, 1, true, ddm(codePoints.OPNQRYRM, ddm(codePoints.QRYINSID, Buffer.alloc(8)))),
    dss(objectType, 1, false, qrydsc(wires)),
  );
  const cursor = await opening;
  const found: Value[][] = [];
  const blocks = cutIntoBlocks(wires, rows, random);
  for (;;) {
    const fetching = cursor.fetch();
    const block = blocks.shift();
    if (block === undefined) {
      expect(await fetching).toBeNull();
      return found;
    }
    socket.arrive(block);
    let more = blocks.length > 0;
    // A block that ends within its first row makes the client ask again by itself.
    let settled = false;
    void fetching.finally(() => {
      settled = true;
    });
    await new Promise(setImmediate);
    while (!settled && more) {
      socket.arrive(blocks.shift()!);
      more = blocks.length > 0;
      await new Promise(setImmediate);
    }
    found.push(...((await fetching) ?? []).map((row) => [...row]));
  }
}

function cutIntoBlocks(
  wires: readonly { type: number; length: number }[],
  rows: readonly (readonly Value[])[],
  random: Random,
): Buffer[] {
  const blocks: Buffer[] = [];
  let bytes: Buffer = Buffer.alloc(0);
  const flush = (lobs: readonly Buffer[]) => {
    const frames = [qrydta(bytes), ...lobs];
    blocks.push(Buffer.concat(frames.map((frame, n) => dss(objectType, 1, n < frames.length - 1, frame))));
    bytes = Buffer.alloc(0);
  };
  for (const values of rows) {
    const { row, lobs } = rowData(wires, values);
    bytes = Buffer.concat([bytes, row]);
    if (lobs.length === 0 && random.unit() < 0.1) {
      const cut = random.between(1, bytes.length - 1);
      const rest = bytes.subarray(cut);
      bytes = bytes.subarray(0, cut);
      flush([]);
      bytes = rest;
    }
    if (lobs.length > 0 || random.unit() < 0.2) flush(lobs);
  }
  bytes = Buffer.concat([bytes, endOfRows]);
  flush([]);
  return blocks;
}

describe.each(sampleTypes)('$name', (type) => {
  test(`${rowsPerType} random values reach the server as they are`, async () => {
    const rows = sampleRows([type], rowsPerType, seeded(11));
    const sent = rows.map(([value]) => [value === null || value === undefined ? null : (type.sent?.(value) ?? value)]);
    expect(plain(await sentRows([type], rows, true))).toEqual(plain(sent));
  });

  test(`${rowsPerType} random values come from the server as they are`, async () => {
    const random = seeded(12);
    const rows = sampleRows([type], rowsPerType, random);
    expect(plain(await fetchedRows([type], rows, random))).toEqual(plain(rows));
  });
});

test(`${mixedTables} tables of random columns, up to 200 of them, go both ways`, async () => {
  const random = seeded(13);
  for (let table = 0; table < mixedTables; table++) {
    const types = Array.from({ length: table % 10 === 0 ? 200 : random.between(1, 30) }, () =>
      random.pick(sampleTypes),
    );
    const rows = sampleRows(types, random.between(1, 12), random);
    const sent = rows.map((row) =>
      row.map((value, column) => (value === null ? null : (types[column]!.sent?.(value) ?? value))),
    );
    expect(plain(await sentRows(types, rows, table % 2 === 0))).toEqual(plain(sent));
    expect(plain(await fetchedRows(types, rows, random))).toEqual(plain(rows));
  }
});

test('text and bytes beyond what a parameter holds are sent as LOBs, in their row alone', async () => {
  const types = [
    sampleTypes.find(({ name }) => name === 'varchar')!,
    sampleTypes.find(({ name }) => name === 'varchar for bit data')!,
  ];
  const long = 'ä'.repeat(20_000);
  const bytes = new Uint8Array(40_000).fill(7);
  const rows = [
    ['short', new Uint8Array(2)],
    [long, bytes],
    ['x'.repeat(32_700), new Uint8Array(32_700)],
    [null, null],
  ];
  expect(plain(await sentRows(types, rows, true))).toEqual(plain(rows));
});

test('a decimal may be given as a number or a bigint, a timestamp with a T, short of digits, or as on the wire', async () => {
  const types = [
    sampleTypes.find(({ name }) => name === 'decimal(12, 3)')!,
    sampleTypes.find(({ name }) => name === 'timestamp of 26 characters')!,
  ];
  const rows = [
    [1e-3, '2024-02-29T01:02:03'],
    [-7n, '2024-02-29 01:02:03.5'],
    ['+5.', '2024-02-29-01.02.03.123456'],
  ];
  expect(await sentRows(types, rows, true)).toEqual([
    ['0.001', '2024-02-29-01.02.03.000000'],
    ['-7.000', '2024-02-29-01.02.03.500000'],
    ['5.000', '2024-02-29-01.02.03.123456'],
  ]);
});

test.each([
  ['smallint', 32_768],
  ['smallint', 1.5],
  ['smallint', '1'],
  ['integer', 2 ** 31],
  ['integer', Number.NaN],
  ['integer', -(2n ** 31n) - 1n],
  ['bigint', 2 ** 53],
  ['bigint', 2n ** 63n],
  ['bigint', true],
  ['real', 1e39],
  ['double', 'one'],
  ['double', '1e5'],
  ['decimal(12, 3)', '0.0001'],
  ['decimal(12, 3)', '1234567890'],
  ['decimal(12, 3)', Number.POSITIVE_INFINITY],
  ['decimal(12, 3)', false],
  ['date', '2024-2-9'],
  ['date', '2024-02-290'],
  ['time', '1:02:03'],
  ['time', '01:02'],
  ['timestamp of 26 characters', '2024-02-29'],
  ['timestamp of 26 characters', '2024-02-29 01:02:03.1234567'],
  ['timestamp of 26 characters', '2024-02-29 01:02:03,5'],
  ['boolean', 1],
  ['varchar', 5],
  ['varchar', 'half a pair: \ud800'],
  ['clob', '\udc00'],
  ['blob', 'text'],
  ['varchar for bit data', 'text'],
])('%s: %s does not fit, which says the row and the parameter and not the value', async (name, value) => {
  const type = sampleTypes.find((sample) => sample.name === name)!;
  const { statement } = await prepared([type, type]);
  const error: unknown = (() => {
    try {
      return statement.encode([
        [null, null],
        [null, value],
      ]);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toMatchObject({ name: 'DrdaError', kind: 'value', row: 1, column: 1 });
  expect(String(error)).toContain('Row 1, parameter 2: ');
});

test('a row of another number of values is refused', async () => {
  const { statement } = await prepared([sampleTypes[0]!]);
  expect(() => statement.encode([[1], [1, 2]])).toThrow('Row 1 has 2 values for 1 parameters.');
});

test('a parameter of a type that cannot be sent is refused by its number', async () => {
  const udt = { ...sampleTypes[0]!, described: { sqlType: 2001 } };
  const { statement } = await prepared([udt]);
  expect(statement.parameters[0]!.type).toBe('udt');
  expect(() => statement.encode([[1]])).toThrow('Parameter 1 is of a type that cannot be sent (2001).');
});

test('CHARs of the forks, whose length is in characters, are read whatever their bytes', async () => {
  const random = seeded(14);
  const char = { ...sampleTypes[0]!, described: { sqlType: 453, length: 12 }, wire: { type: 0x31, length: 12 } };
  const rows = Array.from({ length: 200 }, (_, row) => [row, random.text(random.between(0, 6)).padEnd(12), row % 3]);
  const types = [sampleTypes[1]!, char, sampleTypes[0]!];
  expect(await fetchedRows(types, rows, random, fork)).toEqual(rows);
});
