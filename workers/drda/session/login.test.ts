import { createDecipheriv, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { listening } from '#platform/listening.fixture.ts';
import { fromEbcdic, toEbcdic } from '../bytes/ebcdic.ts';
import { codePoints } from '../ddm/code-points.ts';
import { readObjects } from '../ddm/read-objects.ts';
import { failure as failed } from '../failure.fixture.ts';
import { connect, type DrdaError } from '../index.ts';
import {
  type Command,
  ddm,
  dss,
  type FakeServer,
  objectType,
  replyType,
  sqlcard,
  startFakeServer,
  u16,
} from '../server.fixture.ts';

const canary = 'canary-7f3a';

interface Kind {
  /** Mechanisms that it takes. */
  readonly takes?: readonly number[];
  readonly unicode?: boolean;
  readonly sqlam?: number;
  readonly checkCode?: number;
  readonly token?: Buffer;
  readonly accessReply?: readonly Buffer[];
}

const ebcdic = (text: string): Buffer => toEbcdic(text)!;

function parts(value: Buffer): [number, Buffer][] {
  const found: [number, Buffer][] = [];
  readObjects(value, 0, value.length, (codePoint, buffer, start, end) => {
    found.push([codePoint, Buffer.from(buffer.subarray(start, end))]);
  });
  return found;
}
const part = (command: Command, codePoint: number): Buffer[] =>
  parts(command.value).flatMap(([found, value]) => (found === codePoint ? [value] : []));

/** A server like Derby for logins alone. */
function answerLogin(kind: Kind, chain: readonly Command[]): Buffer {
  const { takes = [3], unicode = true, sqlam = 7, checkCode = 0, token = Buffer.alloc(0) } = kind;
  const [first, second] = chain;
  if (first!.codePoint === codePoints.EXCSAT) {
    const proposed = part(second!, codePoints.SECMEC)[0]!.readUInt16BE(0);
    const taken = takes.includes(proposed);
    const levels = Buffer.concat([
      u16(codePoints.SQLAM),
      u16(sqlam),
      u16(codePoints.UNICODEMGR),
      u16(unicode ? 1208 : 0),
    ]);
    return Buffer.concat([
      dss(
        replyType,
        1,
        true,
        ddm(
          codePoints.EXCSATRD,
          ddm(codePoints.SRVCLSNM, ebcdic('Fake')),
          ddm(codePoints.SRVRLSLV, ebcdic('1')),
          ddm(codePoints.MGRLVLLS, levels),
        ),
      ),
      dss(
        replyType,
        2,
        false,
        ddm(
          codePoints.ACCSECRD,
          ...(taken ? [proposed] : takes).map((code) => ddm(codePoints.SECMEC, u16(code))),
          ...(taken ? [ddm(codePoints.SECTKN, token)] : [ddm(codePoints.SECCHKCD, Buffer.of(1))]),
        ),
      ),
    ]);
  }
  const check = ddm(
    codePoints.SECCHKRM,
    ddm(codePoints.SVRCOD, u16(0)),
    ddm(codePoints.SECCHKCD, Buffer.of(checkCode)),
  );
  const access = kind.accessReply ?? [ddm(codePoints.ACCRDBRM, ddm(codePoints.PRDID, Buffer.from('FAK01000')))];
  return Buffer.concat([
    dss(replyType, 1, checkCode === 0, check),
    ...(checkCode === 0 ? access.map((object, n) => dss(replyType, 2, n < access.length - 1, object)) : []),
  ]);
}

const fake = (kind: Kind = {}): Promise<FakeServer> => startFakeServer((chain) => answerLogin(kind, chain));

const to = (server: { readonly port: number }) =>
  ({ host: '127.0.0.1', port: server.port, database: 'db', user: 'me', password: canary }) as const;

/** The error with which connecting failed. No error may contain a password. */
async function failure(connecting: Promise<unknown>): Promise<DrdaError> {
  const thrown = await failed(connecting);
  expect(`${thrown.message} ${thrown.stack} ${JSON.stringify(thrown)} ${String(thrown.cause)}`).not.toContain(canary);
  return thrown;
}

/** The mechanism and the rest of each SECCHK that came. */
const checks = (server: FakeServer): Command[] =>
  server.chains.flat().filter(({ codePoint }) => codePoint === codePoints.SECCHK);

describe('security', () => {
  test('auto takes the mechanism that the server names when it refuses the strongest', async () => {
    await using server = await fake({ takes: [4, 8, 3] });
    await using connection = await connect(to(server));
    expect(connection.server).toMatchObject({ className: 'Fake', productId: 'FAK01000', securityMechanism: 'plain' });
    expect(part(checks(server)[0]!, codePoints.PASSWORD)[0]!.toString()).toBe(canary);
  });

  test('auto sends a substitute where the server wants nothing else', async () => {
    await using server = await fake({ takes: [8], token: Buffer.alloc(8, 1) });
    await using connection = await connect(to(server));
    expect(connection.server.securityMechanism).toBe('substitute');
    expect(part(checks(server)[0]!, codePoints.PASSWORD)).toEqual([]);
    expect(part(checks(server)[0]!, codePoints.SECTKN)[0]!.length).toBe(20);
  });

  test('without a password the user alone is sent', async () => {
    await using server = await fake({ takes: [4] });
    await using connection = await connect({ ...to(server), password: null });
    expect(connection.server.securityMechanism).toBe('userOnly');
    expect(part(checks(server)[0]!, codePoints.PASSWORD)).toEqual([]);
  });

  test.each(['encrypted', 'substitute', 'userOnly'] as const)('%s is not replaced by plain', async (security) => {
    await using server = await fake({ takes: [3] });
    expect(await failure(connect({ ...to(server), security }))).toMatchObject({
      kind: 'security',
      message: `The server does not take the security mechanism ${security}; it names plain (3).`,
    });
    expect(checks(server)).toEqual([]);
  });

  test.each([true, false])('encrypted: the server deciphers user and password (UTF-8: %s)', async (unicode) => {
    const key = new ServerKey();
    await using server = await fake({ takes: [9], token: key.publicKey, unicode });
    await using connection = await connect({ ...to(server), user: 'mé', password: `${canary}é` });
    expect(connection.server.securityMechanism).toBe('encrypted');
    const clientKey = part(server.chains[0]![1]!, codePoints.SECTKN)[0]!;
    expect(clientKey.length).toBe(32);
    const texts = part(checks(server)[0]!, codePoints.SECTKN).map((secret) => key.decipher(secret, clientKey));
    expect(texts.map((text) => (unicode ? text.toString() : fromEbcdic(text)))).toEqual(['mé', `${canary}é`]);
    expect(server.chains.flat().some(({ value }) => value.includes(canary))).toBe(false);
  });

  test.each([[Buffer.alloc(31, 1)], [Buffer.alloc(32, 0)], [Buffer.alloc(0)]])(
    'encrypted: a server’s key that is none ends the login',
    async (token) => {
      await using server = await fake({ takes: [9], token });
      const { kind } = await failure(connect({ ...to(server), security: 'encrypted' }));
      expect(['security', 'protocol']).toContain(kind);
    },
  );

  test.each([
    [0x0e, 'the password has expired'],
    [0x0f, 'the password is wrong'],
    [0x13, 'the user or password is wrong'],
    [0x14, 'the user may not log in any more'],
    [0x77, 'the server refused'],
  ])('security check code %i is an error of kind security: %s', async (checkCode, words) => {
    await using server = await fake({ checkCode });
    expect(await failure(connect({ ...to(server), security: 'plain' }))).toMatchObject({
      kind: 'security',
      codePoint: codePoints.SECCHKRM,
      message: `Login refused: ${words} (SECCHKCD 0x${checkCode.toString(16).padStart(2, '0')}).`,
    });
  });

  test('passwords that cannot be sent are refused before anything is', async () => {
    await using server = await fake();
    expect(await failure(connect({ ...to(server), password: '' }))).toMatchObject({ kind: 'security' });
    expect(await failure(connect({ ...to(server), password: null, security: 'plain' }))).toMatchObject({
      kind: 'security',
    });
    expect(server.chains).toEqual([]);
  });

  test('a password that the server’s code page has not is an error without it', async () => {
    await using server = await fake({ unicode: false });
    expect(await failure(connect({ ...to(server), password: `${canary}ł`, security: 'plain' }))).toMatchObject({
      kind: 'value',
    });
  });
});

describe('names', () => {
  const databaseOf = (server: FakeServer) =>
    server.chains.map((chain) => part(chain[chain[0]!.codePoint === codePoints.EXCSAT ? 1 : 0]!, codePoints.RDBNAM)[0]);

  test('a server without Unicode gets EBCDIC throughout', async () => {
    await using server = await fake({ unicode: false });
    await using connection = await connect({ ...to(server), security: 'plain', database: 'größe' });
    expect(connection.isAlive).toBe(true);
    expect(databaseOf(server).map((name) => fromEbcdic(name!))).toEqual(['größe'.padEnd(18), 'größe'.padEnd(18)]);
  });

  test('a name that EBCDIC has not is sent once the two agree on UTF-8', async () => {
    await using server = await fake();
    await using connection = await connect({ ...to(server), security: 'plain', database: 'źródło' });
    expect(connection.isAlive).toBe(true);
    expect(databaseOf(server).map((name) => name?.toString())).toEqual([undefined, 'źródło'.padEnd(18)]);
  });

  test('a long name makes long package names', async () => {
    const database = 'd'.repeat(40);
    await using server = await startFakeServer((chain) =>
      chain[0]!.codePoint === codePoints.EXCSQLIMM
        ? dss(objectType, 1, false, sqlcard({ rows: 2 }))
        : answerLogin({}, chain),
    );
    await using connection = await connect({ ...to(server), security: 'plain', database });
    expect(await connection.execute('x')).toBe(2);
    const packaged = part(server.chains[2]![0]!, codePoints.PKGNAMCSN)[0]!;
    expect(packaged.toString('latin1')).toBe(
      `\0\x28${database}\0\x12${'NULLID'.padEnd(18)}\0\x12${'SYSLH000'.padEnd(18)}SYSLVL01\0\x01`,
    );
  });
});

describe('a server that is not what it should be', () => {
  test('an SQLAM of a lower level is refused in words', async () => {
    await using server = await fake({ sqlam: 6 });
    expect(await failure(connect({ ...to(server), security: 'plain' }))).toMatchObject({
      kind: 'protocol',
      message: 'The server’s SQLAM is of level 6; this client needs 7.',
    });
  });

  test('a database that is not there is the server’s SQL error, with the reply message', async () => {
    const accessReply = [
      ddm(codePoints.RDBNFNRM, ddm(codePoints.SVRCOD, u16(8))),
      sqlcard({ sqlCode: -1, sqlState: 'XJ004', message: 'no such' }),
    ];
    await using server = await fake({ accessReply });
    expect(await failure(connect({ ...to(server), security: 'plain' }))).toMatchObject({
      kind: 'sql',
      sqlState: 'XJ004',
      codePoint: codePoints.RDBNFNRM,
    });
  });

  test('a reply message alone is an error with its name', async () => {
    await using server = await fake({ accessReply: [ddm(codePoints.RDBATHRM, ddm(codePoints.SVRCOD, u16(8)))] });
    expect(await failure(connect({ ...to(server), security: 'plain' }))).toMatchObject({
      kind: 'protocol',
      codePoint: codePoints.RDBATHRM,
      message: 'RDBATHRM: the user may not use the database.',
    });
  });

  test('silence ends with the time for connecting', async () => {
    await using server = await listening();
    const error = await failure(connect({ ...to(server), connectTimeoutMs: 50 }));
    expect(error).toMatchObject({
      kind: 'timeout',
      message: `No connection to 127.0.0.1:${server.port} within 50 ms.`,
    });
  });

  test('so does a server that says a byte from time to time', async () => {
    await using server = await listening((socket) => {
      const timer = setInterval(() => socket.write(Buffer.of(0)), 10);
      socket.on('close', () => clearInterval(timer));
    });
    const { kind } = await failure(connect({ ...to(server), connectTimeoutMs: 100 }));
    expect(['timeout', 'protocol']).toContain(kind);
  });

  test.each([
    ['HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'protocol'],
    ['a TLS alert', Buffer.from('15030300020228', 'hex'), 'tls'],
    ['random bytes', randomBytes(100).fill(1, 2, 3), 'protocol'],
  ])('%s instead of DRDA is an error of its kind', async (_what, bytes, kind) => {
    await using server = await listening((socket) => void socket.write(bytes));
    expect(await failure(connect({ ...to(server), connectTimeoutMs: 2_000 }))).toMatchObject({ kind });
  });

  test('a server that hangs up is an error of kind closed', async () => {
    await using server = await listening((socket) => socket.once('data', () => socket.destroy()));
    expect(await failure(connect(to(server)))).toMatchObject({ kind: 'closed' });
  });

  test('a server without TLS is an error of kind tls', async () => {
    await using server = await fake();
    expect(await failure(connect({ ...to(server), tls: {} }))).toMatchObject({ kind: 'tls' });
  });

  test('nobody there is an error of kind unreachable', async () => {
    const gone = await listening();
    await gone[Symbol.asyncDispose]();
    expect(await failure(connect(to(gone)))).toMatchObject({ kind: 'unreachable' });
    expect(await failure(connect({ ...to(gone), host: 'no-such-host.invalid' }))).toMatchObject({
      kind: 'unreachable',
    });
  });

  test('a signal ends connecting', async () => {
    await using server = await listening();
    const abort = new AbortController();
    const connecting = failure(connect({ ...to(server), signal: abort.signal }));
    abort.abort();
    expect(await connecting).toMatchObject({ kind: 'cancelled' });
    expect(await failure(connect({ ...to(server), signal: abort.signal }))).toMatchObject({ kind: 'cancelled' });
  });
});

/** The server's half of the key agreement, by plain arithmetic. */
class ServerKey {
  static readonly #prime = 0xc62112d73ee613f0947ab31f0f6846a1bff5b3a4ca0d60bc1e4c7a0d8c16b3e3n;
  static readonly #generator = 0x4690fa1f7b9e1d4442c86c9114603fdecf071edcec5f626e21e256aed9ea34e4n;
  readonly #secret = BigInt(`0x${randomBytes(31).toString('hex')}`);
  readonly publicKey = ServerKey.#bytes(ServerKey.#power(ServerKey.#generator, this.#secret));

  static #power(base: bigint, exponent: bigint): bigint {
    let result = 1n;
    let square = base;
    for (let rest = exponent; rest > 0n; rest >>= 1n) {
      if (rest & 1n) result = (result * square) % ServerKey.#prime;
      square = (square * square) % ServerKey.#prime;
    }
    return result;
  }

  static #bytes(value: bigint): Buffer {
    return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
  }

  decipher(secret: Buffer, clientKey: Buffer): Buffer {
    const shared = ServerKey.#bytes(ServerKey.#power(BigInt(`0x${clientKey.toString('hex')}`), this.#secret));
    const key = shared.subarray(12, 20);
    const decipher = createDecipheriv('des-ede3-cbc', Buffer.concat([key, key, key]), this.publicKey.subarray(12, 20));
    return Buffer.concat([decipher.update(secret), decipher.final()]);
  }
}
