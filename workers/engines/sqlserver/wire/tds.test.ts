import { Connection, Request, TYPES } from 'tedious';
import { describe, expect, test } from 'vitest';
import type { ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn, type Value } from '#model/batch/decode.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import { batchWith, numberColumn, textColumn } from '../../shared/test-table.fixture.ts';
import { bulkInsert } from '../statements/bulk.ts';
import { columnTypeSql } from '../values/values.ts';
import { executeSqlHead, parameters, tableParameter } from './rpc.ts';
import { roomFor, valueWriter, wireType } from './tds.ts';

/**
 * Byte for byte what `tedious` itself writes for the same values. Its encoders are the reference: they talk to every
 * version of the server. Where they are less exact (nanoseconds come apart from the Date) the value is put so that both
 * can say it.
 */
const collation = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);

type TediousType = (typeof TYPES)[keyof typeof TYPES];
interface Case {
  readonly type: ColumnType;
  readonly tedious: TediousType;
  readonly parameter: { readonly length?: number; readonly precision?: number; readonly scale?: number };
  readonly column: ColumnVector;
  /** Tedious' own form of a decoded value. */
  readonly toTedious?: (value: Value) => unknown;
}

const microseconds = (value: Value): Date => {
  const [, whole, fraction] = /^(.*)\.(\d{6})Z$/.exec(String(value))!;
  const date = new Date(`${whole}.${fraction!.slice(0, 3)}Z`);
  return Object.assign(date, { nanosecondDelta: Number(fraction!.slice(3)) / 1e6 });
};

const caseOf = (type: ColumnType, tedious: TediousType, parameter: Case['parameter'], column: ColumnVector): Case => ({
  ...{ type, tedious, parameter, column },
});
const texts = (maxLength: number, ascii: boolean): ColumnType => ({ kind: 'text', maxLength, fixed: false, ascii });

const uuids = Buffer.from('ff00112233445566778899aabbccddeeff0f', 'hex');
const cases: Readonly<Record<string, Case>> = {
  bigint: caseOf(
    { kind: 'bigint' },
    TYPES.BigInt,
    {},
    numberColumn([0, 1, -1, 4_294_967_296, -4_294_967_297, 9_007_199_254_740_991, -9_007_199_254_740_991]),
  ),
  uuid: caseOf(
    { kind: 'uuid' },
    TYPES.UniqueIdentifier,
    {},
    { kind: 'fixed', bytes: uuids, offset: 1, stride: 16, width: 16, nulls: null },
  ),
  'short decimal': caseOf(
    { kind: 'decimal', precision: 9, scale: 2 },
    TYPES.Decimal,
    { precision: 9, scale: 2 },
    numberColumn([0, 1, -1, 999_999_999, -999_999_999]),
  ),
  decimal: caseOf(
    { kind: 'decimal', precision: 15, scale: 3 },
    TYPES.Decimal,
    { precision: 15, scale: 3 },
    numberColumn([0, -1_205, 4_294_967_296, 999_999_999_999_999, -999_999_999_999_999]),
  ),
  timestamp: {
    ...caseOf(
      { kind: 'timestamp' },
      TYPES.DateTime2,
      { scale: 6 },
      numberColumn([0, -1, 1_709_210_096_000_789, -62_000_000_000_001, 4_102_444_799_999_999, 86_399_999_999]),
    ),
    toTedious: microseconds,
  },
  boolean: caseOf({ kind: 'boolean' }, TYPES.Bit, {}, numberColumn([0, 1])),
  'ASCII text': caseOf(texts(80, true), TYPES.VarChar, { length: 80 }, textColumn('', 'a', "O'Neil", 'x'.repeat(80))),
  'long ASCII text': caseOf(texts(9_000, true), TYPES.VarChar, { length: 9_000 }, textColumn('', 'y'.repeat(8_999))),
  'Unicode text': caseOf(
    texts(40, false),
    TYPES.NVarChar,
    { length: 40 },
    textColumn('', 'plain', 'grüße', '日本語', '🐘 elephant', '\u07ff\u0800\uffff'),
  ),
  'long Unicode text': caseOf(
    texts(4_001, false),
    TYPES.NVarChar,
    { length: 4_001 },
    textColumn('', 'ü'.repeat(4_001)),
  ),
  bytes: caseOf(
    { kind: 'bytes', maxLength: 300, fixed: false },
    TYPES.VarBinary,
    { length: 300 },
    textColumn('', 'abc', 'z'.repeat(300)),
  ),
  'long bytes': caseOf(
    { kind: 'bytes', maxLength: 8_001, fixed: false },
    TYPES.VarBinary,
    { length: 8_001 },
    textColumn('', 'z'.repeat(8_001)),
  ),
};

const rowsOf = (column: ColumnVector): number => {
  if (column.kind === 'number') return column.values.length;
  return column.kind === 'variable' ? column.offsets.length - 1 : Math.floor(column.bytes.length / column.width);
};

/** The options of a connection without a server: `tedious` gets as far as handing over what it would send. */
const options = { ...new Connection({ server: 'nowhere.invalid' }).config.options, useUTC: true };
const databaseCollation = { toBuffer: () => collation, codepage: 'CP1252' };

function tediousValue({ tedious, parameter, toTedious }: Case, value: Value): Buffer {
  const plain = value instanceof Uint8Array ? Buffer.from(value) : value;
  const validated = tedious.validate(
    value === null ? null : (toTedious ?? ((same) => same))(plain),
    databaseCollation as never,
    options,
  );
  const data = { ...parameter, value: validated, collation: databaseCollation as never };
  return Buffer.concat([
    tedious.generateParameterLength(data, options),
    ...tedious.generateParameterData(data, options),
  ]);
}

function ourValue({ type, column }: Case, row: number): Buffer {
  const to = Buffer.alloc(roomFor(column, type, rowsOf(column)));
  const wire = wireType(type, collation);
  return to.subarray(0, valueWriter(column, type, wire)(to, 0, row));
}

/** Chunked values may say their total length; `tedious` says "unknown" (0xFFFFFFFFFFFFFFFE). */
function withUnknownLength(value: Buffer, chunked: boolean): Buffer {
  if (!chunked || value.equals(Buffer.alloc(8, 0xff))) return value;
  return Buffer.concat([Buffer.from('feffffffffffffff', 'hex'), value.subarray(8)]);
}

describe.each(Object.entries(cases))('%s', (_name, one) => {
  const { type, tedious, parameter, column } = one;
  const rows = rowsOf(column);

  test('is declared as tedious declares it', () => {
    expect(columnTypeSql(type).replaceAll(' ', '')).toBe(
      tedious
        .declaration({ ...parameter, type: tedious, name: 'x', value: undefined, output: false })
        .replaceAll(' ', ''),
    );
    const info = tedious.generateTypeInfo({ ...parameter, value: 'x', collation: databaseCollation as never }, options);
    expect(wireType(type, collation).info.toString('hex')).toBe(info.toString('hex'));
  });

  test('is written as tedious writes it', () => {
    const { chunked } = wireType(type, collation);
    for (const [row, value] of decodeColumn(column, type, rows).entries())
      expect(withUnknownLength(ourValue(one, row), chunked).toString('hex'), String(value)).toBe(
        tediousValue(one, value).toString('hex'),
      );
  });

  test('a null, too', () => {
    const nulls = new Uint8Array(rows).fill(1);
    expect(ourValue({ ...one, column: { ...column, nulls } }, 0).toString('hex')).toBe(
      tediousValue(one, null).toString('hex'),
    );
  });
});

/** The bytes that `tedious` would send for a request; parameter names are left out, as ours have none. */
function tediousBody(execute: (connection: Connection) => void): Buffer {
  const connection = new Connection({ server: 'nowhere.invalid' });
  connection.databaseCollation = databaseCollation as never;
  let body: Buffer | null = null;
  connection.makeRequest = (_request, _type, payload) => {
    body = Buffer.concat([...(payload as Iterable<Buffer>)]);
  };
  execute(connection);
  return body!.subarray(22); // ALL_HEADERS
}

const withoutNames = (body: Buffer, names: readonly string[]): string =>
  names.reduce((hex, name) => {
    const named = Buffer.concat([Buffer.from([name.length + 1]), Buffer.from(`@${name}`, 'utf16le'), Buffer.from([0])]);
    return hex.replace(named.toString('hex'), '0000');
  }, body.toString('hex'));

test('a body of sp_executesql is tedious’ own but for the names of parameters', () => {
  const [integer, text] = [cases.bigint!, cases['Unicode text']!];
  const sql = 'SELECT @P0, @P1';
  const expected = tediousBody((connection) => {
    const request = new Request(sql, () => {});
    request.addParameter('P0', TYPES.BigInt, 9_007_199_254_740_991);
    request.addParameter('P1', TYPES.NVarChar, '日本語', { length: 40 });
    connection.execSql(request);
  });
  const head = executeSqlHead(sql, '@P0 bigint, @P1 nvarchar(40)', collation);
  const columns = [
    { column: numberColumn([9_007_199_254_740_991]), type: integer.type },
    { column: textColumn('日本語'), type: text.type },
  ].map((one) => ({ ...one, wire: wireType(one.type, collation), nullWire: wireType(one.type, collation) }));
  expect(parameters(head, columns, 1).toString('hex')).toBe(
    withoutNames(expected, ['statement', 'params', 'P0', 'P1']),
  );
});

test('a table-valued parameter is tedious’ own but for its name', () => {
  const [integer, text] = [cases.bigint!, cases['ASCII text']!];
  const sql = 'SELECT * FROM @P0';
  const nulls = Uint8Array.of(0, 1);
  const expected = tediousBody((connection) => {
    const request = new Request(sql, () => {});
    request.addParameter('P0', TYPES.TVP, {
      schema: 'dyno',
      name: 'x_rows',
      columns: [
        { name: 'id', type: TYPES.BigInt },
        { name: 'text', type: TYPES.VarChar, length: 80, collation: databaseCollation },
      ],
      rows: [
        [1, 'one'],
        [-2, null],
      ],
    });
    connection.execSql(request);
  });
  const head = executeSqlHead(sql, '@P0 dyno.x_rows readonly', collation);
  const columns = [
    { column: numberColumn([1, -2]), type: integer.type, wire: wireType(integer.type, collation) },
    { column: { ...textColumn('one', ''), nulls }, type: text.type, wire: wireType(text.type, collation) },
  ];
  const body = tableParameter(head, 'dyno', 'x_rows', columns, 2);
  expect(body.toString('hex')).toBe(withoutNames(expected, ['statement', 'params', 'P0']));
});

test('rows of a bulk load are tedious’ own, from the columns’ description to the last token', async () => {
  const connection = new Connection({ server: 'nowhere.invalid' });
  connection.databaseCollation = databaseCollation as never;
  const load = connection.newBulkLoad('dyno.t', () => {});
  load.addColumn('id', TYPES.BigInt, { nullable: false });
  load.addColumn('text', TYPES.VarChar, { length: 80, nullable: true });
  load.rowToPacketTransform.write([1, 'one']);
  load.rowToPacketTransform.write([-2, null]);
  load.rowToPacketTransform.end();
  const expected: Buffer[] = [];
  for await (const chunk of load.rowToPacketTransform) expected.push(chunk as Buffer);

  const table = {
    name: 't',
    key: 0,
    options: {},
    columns: [
      { name: 'id', type: cases.bigint!.type, nullable: false },
      { name: 'text', type: cases['ASCII text']!.type, nullable: true },
    ],
  };
  const server = { major: 16, version: '16', edition: '', engineEdition: 3, emulator: null };
  const bulk = bulkInsert(
    connection,
    table,
    { checkConstraints: true, tableLock: true, batchHint: true, server },
    collation,
  );
  const nulls = Uint8Array.of(0, 1);
  const call = bulk.encode(batchWith(2, numberColumn([1, -2]), { ...textColumn('one', ''), nulls }));
  const { statement, data } = call as { readonly statement: Buffer; readonly data: Buffer };
  expect(data.toString('hex')).toBe(Buffer.concat(expected).toString('hex'));
  expect(statement.toString('utf16le')).toBe(
    'INSERT BULK dyno.[t] ([id] bigint, [text] varchar(80)) WITH (TABLOCK, ROWS_PER_BATCH = 2)',
  );
});
