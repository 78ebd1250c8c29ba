import { ByteWriter, sharedWriter } from '../bytes/byte-writer.ts';
import { codePoints } from '../ddm/code-points.ts';
import { beginObject, bytesObject, endObject, u16Object } from '../ddm/write-objects.ts';
import { beginFrame, chained, endFrame, requestFrame } from '../dss/write-frames.ts';
import { agreeOnKey, type KeyAgreement } from '../security/encrypted.ts';
import { type Mechanism, mechanismCodes } from '../security/mechanisms.ts';
import { newSeed, passwordSubstitute } from '../security/substitute.ts';
import { ownRelease, type ServerDialect } from './dialect.ts';
import { type Encode, ebcdic, padded } from './requests.ts';

/** The user, the database and the server of a login. */
export interface Login {
  readonly database: string;
  readonly user: string;
  readonly password: string | null;
  readonly externalName: string;
}

/**
 * The levels of this client's managers (DRDA Volume 3, MGRLVLLS). SQLAM 7 decides the forms of SQLCARD, SQLDARD and
 * others.
 */
const managerLevels: readonly (readonly [number, number])[] = [
  [codePoints.AGENT, 3],
  [codePoints.SQLAM, 7],
  [codePoints.RDB, 3],
  [codePoints.SECMGR, 7],
];
export const utf8Ccsid = 1208;

/** This client's name, and the class that names Derby's dialect of the protocol. */
const ownName = 'Derby';
const ownClass = 'QDERBY/JVM';

/** The secret that a mechanism needs before the server's answer. */
type Secret =
  | { readonly kind: 'none' }
  | { readonly kind: 'seed'; readonly seed: Buffer }
  | { readonly kind: 'key'; readonly agreement: KeyAgreement };

export function newSecret(mechanism: Mechanism): Secret {
  if (mechanism === 'substitute') return { kind: 'seed', seed: newSeed() };
  return mechanism === 'encrypted' ? { kind: 'key', agreement: agreeOnKey() } : { kind: 'none' };
}

/** EXCSAT and ACCSEC, always in EBCDIC. */
export function exchangeAttributes({ database, externalName }: Login, mechanism: Mechanism, secret: Secret): Buffer {
  const to = sharedWriter();
  const frame = beginFrame(to, requestFrame, 1);
  const object = beginObject(to, codePoints.EXCSAT);
  bytesObject(to, codePoints.EXTNAM, ebcdic(printable(externalName)));
  bytesObject(to, codePoints.SRVNAM, ebcdic(ownName));
  bytesObject(to, codePoints.SRVRLSLV, ebcdic(ownRelease));
  const levels = beginObject(to, codePoints.MGRLVLLS);
  for (const [manager, level] of managerLevels) {
    to.u16(manager);
    to.u16(level);
  }
  to.u16(codePoints.UNICODEMGR);
  to.u16(utf8Ccsid);
  endObject(to, levels);
  bytesObject(to, codePoints.SRVCLSNM, ebcdic(ownClass));
  endObject(to, object);
  endFrame(to, frame, chained);

  const second = beginFrame(to, requestFrame, 2);
  const access = beginObject(to, codePoints.ACCSEC);
  u16Object(to, codePoints.SECMEC, mechanismCodes[mechanism]);
  // A name that EBCDIC cannot hold goes with SECCHK alone, which may be in UTF-8.
  const name = inEbcdic(database);
  if (name !== null) bytesObject(to, codePoints.RDBNAM, name);
  if (secret.kind === 'seed') bytesObject(to, codePoints.SECTKN, secret.seed);
  if (secret.kind === 'key') bytesObject(to, codePoints.SECTKN, secret.agreement.publicKey);
  endObject(to, access);
  endFrame(to, second, 0);
  return to.copy();
}

function inEbcdic(database: string): Buffer | null {
  try {
    return padded(database, ebcdic);
  } catch {
    return null;
  }
}

/** External names are for people, so characters that the code page lacks are replaced. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 255);

/** SECCHK and ACCRDB. */
export function accessDatabase(
  login: Login,
  mechanism: Mechanism,
  secret: Secret,
  token: Buffer,
  encode: Encode,
  { productId }: ServerDialect,
): Buffer {
  // This message holds the password, so it does not go through the shared writer, whose buffer is kept.
  const to = new ByteWriter(1024);
  const database = padded(login.database, encode);
  const frame = beginFrame(to, requestFrame, 1);
  const check = beginObject(to, codePoints.SECCHK);
  u16Object(to, codePoints.SECMEC, mechanismCodes[mechanism]);
  bytesObject(to, codePoints.RDBNAM, database);
  writeCredentials(to, login, secret, token, encode, mechanism);
  endObject(to, check);
  endFrame(to, frame, chained);

  const second = beginFrame(to, requestFrame, 2);
  const access = beginObject(to, codePoints.ACCRDB);
  bytesObject(to, codePoints.RDBNAM, database);
  u16Object(to, codePoints.RDBACCCL, codePoints.SQLAM);
  bytesObject(to, codePoints.PRDID, encode(productId));
  bytesObject(to, codePoints.TYPDEFNAM, encode('QTDSQLASC'));
  bytesObject(to, codePoints.CRRTKN, correlationToken(encode));
  const overrides = beginObject(to, codePoints.TYPDEFOVR);
  u16Object(to, codePoints.CCSIDSBC, utf8Ccsid);
  u16Object(to, codePoints.CCSIDDBC, 1200);
  u16Object(to, codePoints.CCSIDMBC, utf8Ccsid);
  endObject(to, overrides);
  endObject(to, access);
  endFrame(to, second, 0);
  return to.copy();
}

function writeCredentials(
  to: ByteWriter,
  { user, password }: Login,
  secret: Secret,
  token: Buffer,
  encode: Encode,
  mechanism: Mechanism,
): void {
  if (secret.kind === 'key') {
    bytesObject(to, codePoints.SECTKN, secret.agreement.encrypt(encode(user), token));
    bytesObject(to, codePoints.SECTKN, secret.agreement.encrypt(encode(password ?? ''), token));
    return;
  }
  bytesObject(to, codePoints.USRID, encode(user));
  if (secret.kind === 'seed')
    bytesObject(to, codePoints.SECTKN, passwordSubstitute(user, password ?? '', secret.seed, token));
  else if (mechanism === 'plain') bytesObject(to, codePoints.PASSWORD, encode(password ?? ''));
}

let connections = 0;

/** CRRTKN identifies a unit of work: a network address and port in letters, and a clock. Nobody looks it up. */
function correlationToken(encode: Encode): Buffer {
  const clock = Buffer.alloc(6);
  clock.writeUIntBE(Date.now() % 2 ** 48, 0, 6);
  connections = (connections + 1) % 0x1000;
  const port = connections.toString(16).toUpperCase().padStart(3, '0');
  return Buffer.concat([encode(`GF000001.G${port}`), clock]);
}
