import { expect, test } from 'vitest';
import { codePoints } from '../ddm/code-points.ts';
import { readObjects } from '../ddm/read-objects.ts';
import { derbyReplies, jdbcRequests } from '../recorded.fixture.ts';
import { passwordSubstitute } from '../security/substitute.ts';
import { type Command, dss, objectType, RequestReader, sqlcard, sqldard } from '../server.fixture.ts';
import { stubConnection, stubTransport } from '../stub.fixture.ts';
import { logIn } from './handshake.ts';

/**
 * These tests compare this client's bytes with those that Derby's own JDBC client was recorded to send for the same
 * call.
 */

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64');
const commandsOf = (bytes: Buffer): readonly Command[] => new RequestReader().push(bytes).flat();

/** Objects of a collection by code point. */
function parts(value: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  readObjects(value, 0, value.length, (codePoint, buffer, start, end) => {
    found.set(codePoint, Buffer.from(buffer.subarray(start, end)));
  });
  return found;
}

const login = { database: 'dev', user: 'APP', password: 'APP', externalName: 'derbydncmain' };

async function ownLogin() {
  const { socket, transport } = stubTransport();
  const loggingIn = logIn(transport, login, 'plain');
  const reply = bytesOf(derbyReplies.login);
  const first = reply.readUInt16BE(0);
  const second = first + reply.readUInt16BE(first);
  socket.arrive(reply.subarray(0, second));
  await new Promise(setImmediate);
  socket.arrive(reply.subarray(second));
  return { result: await loggingIn, requests: socket.written.map(commandsOf) };
}

test('the login is that of Derby’s client but for the version and what names it', async () => {
  const { result, requests } = await ownLogin();
  expect(result).toMatchObject({
    dialect: { productId: 'DNC10100', lobStatus: true, charsCounted: false },
    server: {
      className: 'Apache Derby',
      release: 'CSS10160/10.16.1.1 - (1901046)',
      name: 'NetworkServerControl',
      productId: 'CSS10160',
      securityMechanism: 'plain',
    },
  });
  const theirs = [
    commandsOf(bytesOf(jdbcRequests.exchangeAttributes)),
    commandsOf(bytesOf(jdbcRequests.accessDatabase)),
  ];
  const codes = (chains: readonly (readonly Command[])[]) =>
    chains.map((chain) => chain.map(({ codePoint, correlation }) => [codePoint, correlation]));
  expect(codes(requests)).toEqual(codes(theirs));
  const own = requests.flat().map(({ value }) => parts(value));
  const [attributes, security, check, access] = theirs.flat().map(({ value }) => parts(value));
  for (const [mine, expected, same] of [
    [own[0], attributes, [codePoints.EXTNAM, codePoints.SRVNAM, codePoints.SRVCLSNM]],
    [own[1], security, [codePoints.SECMEC, codePoints.RDBNAM]],
    [own[2], check, [codePoints.SECMEC, codePoints.RDBNAM, codePoints.USRID, codePoints.PASSWORD]],
    [own[3], access, [codePoints.RDBNAM, codePoints.RDBACCCL, codePoints.TYPDEFNAM, codePoints.TYPDEFOVR]],
  ] as const)
    for (const codePoint of same) expect(mine!.get(codePoint)).toEqual(expected!.get(codePoint));
  const levels = (found: Map<number, Buffer>) => found.get(codePoints.MGRLVLLS)!.toString('hex').match(/.{8}/g)!;
  expect(levels(own[0]!)).toEqual(['14030003', '24070007', '240f0003', '14400007', '1c0804b8']);
  // Theirs asks for more than it needs of AGENT and RDB; Derby answers both alike.
  expect(levels(attributes!).filter((level) => /^(2407|1440|1c08)/.test(level))).toEqual(
    levels(own[0]!).filter((level) => /^(2407|1440|1c08)/.test(level)),
  );
  const token = (found: Map<number, Buffer>) => found.get(codePoints.CRRTKN)!;
  expect(token(own[3]!).length).toBe(token(access!).length);
});

test('commit and rollback are, byte for byte, those of Derby’s client', async () => {
  const { socket, connection } = stubConnection();
  void connection.commit().catch(() => {});
  void connection.rollback().catch(() => {});
  expect(socket.written).toEqual([bytesOf(jdbcRequests.commit), bytesOf(jdbcRequests.rollback)]);
});

/** The package is named after the database, and only Derby’s client says that the cursor is to be held. */
const asStub = (value: Buffer): string => value.toString('latin1').replaceAll('dev '.padEnd(18), 'stub'.padEnd(18));

test('a statement is prepared and described as Derby’s client does it', async () => {
  const { socket, connection } = stubConnection();
  void connection.execute('skipped').catch(() => {});
  void connection.prepare('insert into rec values (?,?,?,?,?,?,?,?,?)').catch(() => {});
  const own = commandsOf(socket.written[1]!);
  const theirs = commandsOf(bytesOf(jdbcRequests.prepareInsert));
  const sqlattr = 0x2450;
  const comparable = (chain: readonly Command[], section: number) =>
    chain.map(({ codePoint, correlation, value, data }) => ({
      codePoint,
      correlation,
      value: asStub(value).replace(`SYSLVL01\0${String.fromCharCode(section)}`, 'SYSLVL01'),
      data: data
        .filter((object) => object.codePoint !== sqlattr)
        .map((object) => [object.codePoint, object.value.toString('latin1')]),
    }));
  expect(comparable(own, 2)).toEqual(comparable(theirs, 1));
});

test('immediate statements and queries are sent as Derby’s client sends them', async () => {
  const { socket, connection } = stubConnection();
  const [theirs] = commandsOf(bytesOf(jdbcRequests.executeImmediate));
  const sql = theirs!.data[0]!.value.subarray(5, -1).toString('utf8');
  void connection.execute(sql).catch(() => {});
  const [own] = commandsOf(socket.written[0]!);
  expect([own!.codePoint, asStub(own!.value), own!.data]).toEqual([
    theirs!.codePoint,
    asStub(theirs!.value),
    theirs!.data,
  ]);
});

test('rows are encoded, byte for byte, as Derby’s client encodes them', async () => {
  const { socket, connection } = stubConnection();
  const preparing = connection.prepare('insert into rec values (?,?,?,?,?,?,?,?,?)');
  // That client sends text and bytes as LONG VARCHAR whatever the column is, so that here the columns are.
  const [bytes, text] = [{ sqlType: 457, ccsid: 0 }, { sqlType: 457 }];
  const types = [{ sqlType: 497 }, { sqlType: 493 }, text, bytes, { sqlType: 481, length: 8 }];
  const described = [...types, { sqlType: 389 }, { sqlType: 385 }, { sqlType: 2437 }, text];
  socket.arrive(dss(objectType, 1, true, sqlcard()), dss(objectType, 2, false, sqldard(described)));
  const statement = await preparing;
  const encoded = statement.encode([
    [7, 8n, 'hé', Uint8Array.of(1, 2), 1.5, '23:59:58', '2024-02-29', true, 'lob'],
    [0, ...Array<null>(8).fill(null)],
    [1, ...Array<null>(8).fill(null)],
  ]);
  socket.written.length = 0;
  void statement.execute(encoded).catch(() => {});
  const own = commandsOf(socket.written[0]!);
  const theirs = [...commandsOf(bytesOf(jdbcRequests.insertOne)), ...commandsOf(bytesOf(jdbcRequests.insertTwo))];
  const data = (command: Command) => parts(command.data[0]!.value);
  expect(own[0]!.data).toEqual(theirs[0]!.data);
  expect(own.map((command) => data(command).get(codePoints.FDODTA))).toEqual(
    theirs.map((command) => data(command).get(codePoints.FDODTA)),
  );
  expect(parts(own[0]!.value).get(codePoints.RDBCMTOK)).toEqual(parts(theirs[0]!.value).get(codePoints.RDBCMTOK));
});

test('the password substitute is the one that Derby’s client made of these random numbers', () => {
  const [own, server] = ['65438272fd9cd429', '8fc2619cddf5d678'].map((hex) => Buffer.from(hex, 'hex'));
  const recorded = '1144fa9a8370b2ad1223fe433d1cc9a1097eb9ef';
  expect(passwordSubstitute('APP', 'APP', own!, server!).toString('hex')).toBe(recorded);
});
