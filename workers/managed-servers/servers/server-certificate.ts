import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynoError } from '#model/error.ts';
import { findProgram } from '../install/tools.ts';
import { giveTo, type ServerAccount } from '../process/account.ts';
import { wordsOf } from '../process/server-error.ts';

const run = promisify(execFile);

/** OpenSSL's program; null: no certificate can be made. */
export const findOpenssl = (): string | null => findProgram(['openssl']);

/** Paths of PEM files: the certificate of a CA, and the certificate that it gave to a server on 127.0.0.1. */
export interface ServerCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** The certificate and its key in one file, as MongoDB wants it. */
  readonly both: string;
}

const requests = `[req]
prompt = no
distinguished_name = name
[name]
CN = Dyno
[ca]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[server]
subjectAltName = IP:127.0.0.1, DNS:localhost
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
`;

/** The kind of key that most public CAs give today; RSA would take longer to make and to sign each handshake with. */
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const days = ['-days', '3650'];

/**
 * Makes a new CA and a certificate of it for a server, in `folder`, which is emptied; the key of the CA is deleted, so
 * that it signs nothing else. It takes a few hundredths of a second. Null: there is no OpenSSL, and the server takes no
 * TLS. Throws DynoError with OpenSSL's message.
 */
export async function makeServerCertificate(
  folder: string,
  account: ServerAccount | null,
  onActivity: (text: string) => void,
): Promise<ServerCertificate | null> {
  const openssl = findOpenssl();
  if (openssl === null) {
    onActivity('There is no openssl to make a certificate with, so that the server takes no TLS.');
    return null;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o711 });
  const file = (name: string) => join(folder, name);
  const openSsl = (...args: readonly string[]) => run(openssl, [...args], { cwd: folder });
  const config = ['-config', 'requests.cnf'];
  try {
    writeFileSync(file('requests.cnf'), requests);
    const ca = ['-keyout', 'ca.key', '-out', 'ca.pem', '-extensions', 'ca'];
    await openSsl('req', '-x509', ...config, ...newKey, ...ca, ...days, '-subj', '/CN=Dyno CA');
    await openSsl('req', ...config, ...newKey, '-keyout', 'server.key', '-out', 'server.csr');
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', '1'];
    const extensions = ['-extfile', 'requests.cnf', '-extensions', 'server'];
    await openSsl('x509', '-req', '-in', 'server.csr', '-out', 'server.pem', ...signing, ...extensions, ...days);
  } catch (thrown) {
    throw new DynoError('other', `A certificate could not be made: ${wordsOf(thrown).trim()}`);
  } finally {
    for (const name of ['requests.cnf', 'ca.key', 'server.csr']) rmSync(file(name), { force: true });
  }
  const [cert, key, both] = [file('server.pem'), file('server.key'), file('server-both.pem')];
  writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'), { mode: 0o600 });
  giveTo(account, key, both);
  return { ca: file('ca.pem'), cert, key, both };
}
