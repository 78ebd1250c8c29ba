import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listening } from '#platform/listening.fixture.ts';

/** Header types ([MS-TDS] 2.2.3.1.1) of what clients send besides requests, and of every answer. */
const prelogin = 0x12;
const login = 0x10;
const answerType = 0x04;
const headerBytes = 8;

export const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
export const short = (value: number): Buffer => {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16LE(value);
  return buffer;
};

/** DONE (2.2.7.6). `rows`: null: it says none, as after SET NOCOUNT ON. */
export function done(rows: number | null): Buffer {
  const token = Buffer.alloc(13);
  token[0] = 0xfd;
  if (rows === null) return token;
  token.writeUInt16LE(0x10, 1);
  token.writeBigUInt64LE(BigInt(rows), 5);
  return token;
}

const unicode = 0xe7;
const noLength = 0xff_ff;

/** COLMETADATA and ROW tokens (2.2.7.4, 2.2.7.19): a result of texts, with its DONE. */
export function resultTokens(columns: readonly string[], rows: readonly (readonly (string | null)[])[]): Buffer {
  const described = columns.flatMap((name) => [
    Buffer.from([0, 0, 0, 0, 1, 0, unicode]),
    short(8_000),
    Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]),
    Buffer.from([name.length]),
    wide(name),
  ]);
  const cell = (value: string | null) => (value === null ? [short(noLength)] : [short(2 * value.length), wide(value)]);
  return Buffer.concat([
    Buffer.from([0x81]),
    short(columns.length),
    ...described,
    ...rows.flatMap((row) => [Buffer.from([0xd1]), ...row.flatMap(cell)]),
    done(rows.length),
  ]);
}

/** The text of a batch: what stands behind ALL_HEADERS (2.2.5.3). */
export const batchText = (body: Buffer): string => body.subarray(body.readUInt32LE(0)).toString('utf16le');

/** ERROR (2.2.7.10). */
export function errorToken(number: number, severity: number, message: string): Buffer {
  const numbered = Buffer.alloc(6);
  numbered.writeInt32LE(number);
  numbered[5] = severity;
  const body = Buffer.concat([numbered, short(message.length), wide(message), Buffer.from([0, 0]), Buffer.alloc(4)]);
  return Buffer.concat([Buffer.from([0xaa]), short(body.length), body]);
}

/** VERSION, and ENCRYPTION: there is none (2.2.6.5). */
const preloginAnswer = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2]);
const loginAnswer = (() => {
  const body = Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4, 4]), wide('stub'), Buffer.from([16, 0, 0, 0])]);
  return Buffer.concat([Buffer.from([0xad]), short(body.length), body, done(null)]);
})();

/** A packet of an answer. */
export const packet = (tokens: Buffer, last = true): Buffer => {
  const header = Buffer.alloc(headerBytes);
  header[0] = answerType;
  header[1] = last ? 1 : 0;
  header.writeUInt16BE(headerBytes + tokens.length, 2);
  return Buffer.concat([header, tokens]);
};

/** The answer to a message by which a client logs in. Null: the message is a request. */
const greeting = (type: number): Buffer | null =>
  type === prelogin ? preloginAnswer : type === login ? loginAnswer : null;

/** The answer to PRELOGIN of a server that wants TLS. */
export const encryptedGreeting = packet(Buffer.concat([preloginAnswer.subarray(0, -1), Buffer.from([1])]));

/** The answer to a message of one packet until the login is over. */
export const loginAnswerTo = (message: Buffer): Buffer => packet(greeting(message[0]!) ?? done(null));

/** Tokens as an answer; `hangUp`: these are the last ones, and the answer has no end. */
interface TdsAnswer {
  readonly tokens: Buffer;
  readonly hangUp?: boolean;
}

type AnswerTo = (body: Buffer, type: number) => TdsAnswer;

/** Speaks enough TDS on a stream to be logged in to; requests are answered by `answer`. */
export function serveTds(socket: Duplex, answer: AnswerTo, sawLogin: (message: Buffer) => void = () => {}): void {
  let there = Buffer.alloc(0);
  let body = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    there = Buffer.concat([there, chunk]);
    while (there.length >= headerBytes && there.length >= there.readUInt16BE(2)) {
      const length = there.readUInt16BE(2);
      const [type, status] = [there[0]!, there[1]!];
      body = Buffer.concat([body, there.subarray(headerBytes, length)]);
      there = there.subarray(length);
      if ((status & 1) === 0) continue;
      const message = body;
      body = Buffer.alloc(0);
      const greeted = greeting(type);
      if (type === login) sawLogin(message);
      if (greeted) socket.write(packet(greeted));
      else {
        const { tokens, hangUp = false } = answer(message, type);
        if (hangUp) socket.end(packet(tokens, false));
        else socket.write(packet(tokens));
      }
    }
  });
}

/** A server of {@link serveTds}, which by default answers requests as done. `sawLogin` gets each LOGIN7 message. */
export async function tdsServer(
  answer: AnswerTo = () => ({ tokens: done(null) }),
  sawLogin: (message: Buffer) => void = () => {},
) {
  const sockets = new Set<Socket>();
  const server = await listening((socket) => {
    sockets.add(socket);
    serveTds(socket, answer, sawLogin);
  });
  return {
    ...server,
    /** Ends every connection, as KILL does with one that is idle. */
    hangUp() {
      for (const socket of sockets) socket.end();
    },
  };
}
