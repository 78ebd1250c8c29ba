import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { BSON } from 'mongodb';
import { type Listening, listening } from '#platform/listening.fixture.ts';

/** These servers accept every login, and answer every request with the same success. */

/**
 * Passes the messages of a stream to `answer`. `sizeOf`: the size of the first message; null if it is not known yet.
 */
const messages = (sizeOf: (bytes: Buffer) => number | null, answer: (socket: Socket, message: Buffer) => void) => {
  return (socket: Socket): void => {
    let waiting = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      for (let size = sizeOf(waiting); size !== null && waiting.length >= size; size = sizeOf(waiting)) {
        const message = waiting.subarray(0, size);
        waiting = waiting.subarray(size);
        answer(socket, message);
      }
    });
  };
};

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** PostgreSQL's protocol: each query has one row, with 1 in a column “sum”. */
export function postgresThatSaysYes(): Promise<Listening> {
  const say = (type: string, ...parts: readonly Buffer[]) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
  };
  const text = (value: string) => Buffer.from(`${value}\0`);
  const ready = say('Z', Buffer.from('I'));
  const column = Buffer.concat([
    text('sum'),
    Buffer.alloc(6),
    int32(23),
    Buffer.from([0, 4]),
    int32(-1),
    Buffer.alloc(2),
  ]);
  const described = say('T', Buffer.from([0, 1]), column);
  const row = say('D', Buffer.from([0, 1]), int32(1), Buffer.from('1'));
  const done = say('C', text('SELECT 1'));
  const begun = new WeakSet<Socket>();
  const answers: Readonly<Record<string, Buffer>> = {
    Q: Buffer.concat([described, row, done, ready]),
    P: say('1'),
    B: say('2'),
    D: described,
    E: Buffer.concat([row, done]),
    C: say('3'),
    S: ready,
  };
  return listening((socket) =>
    messages(
      (bytes) => {
        const at = begun.has(socket) ? 1 : 0;
        return bytes.length < at + 4 ? null : at + bytes.readInt32BE(at);
      },
      (to, message) => {
        if (begun.has(to)) return void to.write(answers[String.fromCharCode(message[0]!)] ?? '');
        if (message.readInt32BE(4) === 80_877_103) return void to.write('N');
        begun.add(to);
        const settings = Object.entries({ server_version: '16.0', client_encoding: 'UTF8', server_encoding: 'UTF8' });
        to.write(
          Buffer.concat([
            say('R', int32(0)),
            ...settings.map(([name, value]) => say('S', text(name), text(value))),
            say('K', int32(1), int32(1)),
            ready,
          ]),
        );
      },
    )(socket),
  );
}

/** MySQL's protocol: each query has one row, with 1 in its only column. */
export function mysqlThatSaysYes(): Promise<Listening> {
  const packet = (sequence: number, ...parts: readonly (Buffer | readonly number[])[]) => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
    return Buffer.concat([Buffer.from([body.length & 255, (body.length >> 8) & 255, 0, sequence]), body]);
  };
  const named = (name: string) => [name.length, ...Buffer.from(name)];
  const [salt, plugin] = [Buffer.from('abcdefgh'), Buffer.from('mysql_native_password\0')];
  // PROTOCOL_41, SECURE_CONNECTION, PLUGIN_AUTH, CONNECT_WITH_DB, TRANSACTIONS.
  const [low, high] = [
    [0x09, 0xa2],
    [0x08, 0x00],
  ];
  const greeting = packet(
    ...([0, [10], Buffer.from('8.0.36\0'), [1, 0, 0, 0], salt, [0], low, [33], [2, 0], high, [21]] as const),
    ...[Buffer.alloc(10), Buffer.from('ijklmnopqrst\0'), plugin],
  );
  const fine = [0, 0, 0, 2, 0, 0, 0];
  const end = [0xfe, 0, 0, 2, 0];
  const column = [...named('def'), 0, 0, 0, ...named('sum'), 0, 12, 63, 0, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
  const rows = Buffer.concat([
    packet(1, [1]),
    packet(2, column),
    packet(3, end),
    packet(4, named('1')),
    packet(5, end),
  ]);
  return listening((socket) => {
    let isIn = false;
    socket.write(greeting);
    messages(
      (bytes) => (bytes.length < 4 ? null : 4 + bytes.readUIntLE(0, 3)),
      (to, message) => {
        if (isIn && message[4] === 3 && /select|show/i.test(message.toString('latin1', 5))) return void to.write(rows);
        to.write(packet(message[3]! + 1, fine));
        isIn = true;
      },
    )(socket);
  });
}

/** MongoDB's protocol: every command is ok, and finds nothing. */
export function mongodbThatSaysYes(): Promise<Listening> {
  const hello = { isWritablePrimary: true, ismaster: true, helloOk: true, maxWireVersion: 25, minWireVersion: 0 };
  const limits = { maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 };
  const body = BSON.serialize({
    ...{ ok: 1, ...hello, ...limits, version: '8.0.0', versionArray: [8, 0, 0, 0], n: 1 },
    ...{ cursor: { id: BSON.Long.ZERO, ns: 'a.b', firstBatch: [] }, authInfo: { authenticatedUsers: [] } },
  });
  return listening(
    messages(
      (bytes) => (bytes.length < 16 ? null : bytes.readInt32LE(0)),
      (socket, message) => {
        const isOld = message.readInt32LE(12) === 2_004;
        const head = Buffer.alloc(isOld ? 36 : 21);
        head.writeInt32LE(head.length + body.length, 0);
        head.writeInt32LE(message.readInt32LE(4), 8);
        head.writeInt32LE(isOld ? 1 : 2_013, 12);
        if (isOld) head.writeInt32LE(1, 32);
        socket.write(Buffer.concat([head, body]));
      },
    ),
  );
}

/** TDS: each batch that selects has one row, with 1 in a column “sum”. */
export function tdsThatSaysYes(): Promise<Listening> {
  const wide = (text: string) => Buffer.from(text, 'utf16le');
  const said = (...tokens: readonly (Buffer | readonly number[])[]) => {
    const body = Buffer.concat(tokens.map((one) => Buffer.from(one)));
    const head = Buffer.from([4, 1, 0, 0, 0, 0, 1, 0]);
    head.writeUInt16BE(body.length + 8, 2);
    return Buffer.concat([head, body]);
  };
  const done = [0xfd, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
  const program = wide('Microsoft SQL Server');
  const ackBody = Buffer.concat([
    Buffer.from([1, 0x74, 0, 0, 4, program.length / 2]),
    program,
    Buffer.from([16, 0, 0, 0]),
  ]);
  const ack = Buffer.concat([Buffer.from([0xad, ackBody.length, 0]), ackBody]);
  const columns = Buffer.concat([Buffer.from([0x81, 1, 0, 0, 0, 0, 0, 0, 0, 0x38, 3]), wide('sum')]);
  // The version's token and the encryption's token, which says that there is none.
  const preLogin = said([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2]);
  return listening(
    messages(
      (bytes) => (bytes.length < 8 ? null : bytes.readUInt16BE(2)),
      (socket, message) => {
        if ((message[1]! & 1) === 0) return;
        if (message[0] === 0x12) socket.write(preLogin);
        else if (message[0] === 0x10) socket.write(said(ack, done));
        else if (/select/i.test(message.toString('utf16le'))) socket.write(said(columns, [0xd1, 1, 0, 0, 0], done));
        else socket.write(said(done));
      },
    ),
  );
}

/** HTTP, as RavenDB has it: every request is answered with the same object. */
export async function ravendbThatSaysYes(): Promise<Listening> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(
        '{"Results":[{}],"Collections":{},"ProductVersion":"7.2","FullVersion":"7.2.6","BuildVersion":72033}',
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  } as Listening;
}
