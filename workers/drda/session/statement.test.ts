import { expect, test } from 'vitest';
import { codePoints } from '../ddm/code-points.ts';
import { dss, objectType, RequestReader, replyType, sqlcard, sqldard } from '../server.fixture.ts';
import { stubConnection } from '../stub.fixture.ts';

async function prepared() {
  const { socket, connection } = stubConnection();
  const preparing = connection.prepare('insert');
  socket.arrive(dss(objectType, 1, true, sqlcard()), dss(objectType, 2, false, sqldard([{ sqlType: 497 }])));
  const statement = await preparing;
  socket.written.length = 0;
  return { socket, connection, statement };
}

const commands = (bytes: Uint8Array): number[] =>
  new RequestReader().push(bytes).flatMap((chain) => chain.map(({ codePoint }) => codePoint));

test('rows are sent with a commit and without, and what is under way is not changed by sending them again', async () => {
  const { socket, statement } = await prepared();
  const rows = statement.encode([[1], [2]]);
  const calls = [statement.execute(rows), statement.execute(rows, { commit: true }), statement.execute(rows)];
  // Read when all three are on their way, as the network would.
  expect(socket.written.map(commands)).toEqual([
    [codePoints.EXCSQLSTT, codePoints.EXCSQLSTT],
    [codePoints.EXCSQLSTT, codePoints.EXCSQLSTT, codePoints.RDBCMM],
    [codePoints.EXCSQLSTT, codePoints.EXCSQLSTT],
  ]);
  const two = [dss(objectType, 1, true, sqlcard({ rows: 1 })), dss(objectType, 2, false, sqlcard({ rows: 3 }))];
  const withCommit = [dss(objectType, 1, true, sqlcard({ rows: 1 })), dss(objectType, 2, true, sqlcard())];
  socket.arrive(...two, ...withCommit, dss(replyType, 3, false, sqlcard()), ...two);
  expect(await Promise.all(calls)).toEqual([4, 1, 4]);
});

test('no rows make no request', async () => {
  const { socket, statement } = await prepared();
  expect(await statement.execute(statement.encode([]), { commit: true })).toBe(0);
  expect(socket.written).toEqual([]);
});

test('rows are for the statement that encoded them', async () => {
  const one = await prepared();
  const other = await prepared();
  await expect(one.statement.execute(other.statement.encode([[1]]))).rejects.toThrow(
    'The rows were encoded for another statement.',
  );
  expect(one.socket.written).toEqual([]);
});

test('an error names its row where there are several', async () => {
  const { socket, statement } = await prepared();
  const refused = sqlcard({ sqlCode: -1, sqlState: '23505', message: 'X' });
  const one = statement.execute(statement.encode([[1]]));
  socket.arrive(dss(objectType, 1, false, refused));
  await expect(one).rejects.toMatchObject({ sqlState: '23505', row: null });
  const two = statement.execute(statement.encode([[1], [2]]));
  socket.arrive(dss(objectType, 1, true, sqlcard({ rows: 1 })), dss(objectType, 2, false, refused));
  await expect(two).rejects.toMatchObject({ sqlState: '23505', row: 1 });
});

test('a statement that is prepared again keeps its section, and takes rows encoded before', async () => {
  const { socket, statement } = await prepared();
  const rows = statement.encode([[7]]);
  const again = statement.prepareAgain();
  expect(socket.written.map(commands)).toEqual([[codePoints.PRPSQLSTT, codePoints.DSCSQLSTT]]);
  socket.arrive(dss(objectType, 1, true, sqlcard()), dss(objectType, 2, false, sqldard([{ sqlType: 497 }])));
  await again;
  const call = statement.execute(rows);
  socket.arrive(dss(objectType, 1, false, sqlcard({ rows: 1 })));
  expect(await call).toBe(1);
});

test.each([
  ['another type', [{ sqlType: 493 }]],
  ['another scale', [{ sqlType: 497, scale: 2 }]],
  ['another parameter', [{ sqlType: 497 }, { sqlType: 497 }]],
])('a statement that comes back with %s is not executed with rows of before', async (_what, parameters) => {
  const { socket, statement } = await prepared();
  const again = statement.prepareAgain();
  socket.arrive(dss(objectType, 1, true, sqlcard()), dss(objectType, 2, false, sqldard(parameters)));
  await expect(again).rejects.toThrow('of other types than before');
});

test('the bytes that rows are said to have are those that are sent', async () => {
  const { socket, statement } = await prepared();
  const rows = statement.encode(Array.from({ length: 40_000 }, (_, n) => [n]));
  void statement.execute(rows).catch(() => {});
  expect(rows.rows).toBe(40_000);
  expect(rows.bytes).toBe(socket.written.reduce((sum, chain) => sum + chain.length, 0));
  expect(socket.written).toHaveLength(3);
});

test('the descriptor that goes with a row has a null’s own type; that of a row without nulls the parameter’s', async () => {
  const { socket, statement } = await prepared();
  const descriptors = { double: '0676d00b0008', varchar: '0676d03f7fff', parameter: '0676d0030004' };
  const sent = (rows: readonly (readonly [number | null])[], type: 'double' | 'varchar') => {
    socket.written.length = 0;
    const done = statement.execute(statement.encode(rows, [type]));
    const hex = Buffer.concat(socket.written).toString('hex');
    socket.arrive(...rows.map((_, row) => dss(objectType, row + 1, row < rows.length - 1, sqlcard({ rows: 1 }))));
    return done.then(() => Object.entries(descriptors).flatMap(([name, bytes]) => (hex.includes(bytes) ? [name] : [])));
  };
  expect(await sent([[null]], 'double')).toEqual(['double']);
  expect(await sent([[null]], 'varchar')).toEqual(['varchar']);
  expect(await sent([[1]], 'double')).toEqual(['parameter']);
  expect(await sent([[null], [1]], 'double')).toEqual(['double', 'parameter']);
});
