import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynoError } from '#model/error.ts';
import { wordsOf } from '../../process/server-error.ts';

const run = promisify(execFile);

/** The files of a self-signed certificate. */
export interface Certificate {
  /** PEM, without the key: what the other side trusts. */
  readonly pem: string;
  /** PKCS #12, with the key; encrypted. */
  readonly pfx: string;
}

/**
 * The request for a certificate of a server at 127.0.0.1 and of clients alike: RavenDB wants both uses, and takes a
 * client that shows the server's own certificate for the server itself. It is its own authority, too, because not every
 * .NET trusts another kind of self-signed certificate.
 */
const request = (commonName: string): string => `[req]
prompt = no
distinguished_name = name
x509_extensions = extensions
[name]
CN = ${commonName}
[extensions]
basicConstraints = critical, CA:true
keyUsage = critical, digitalSignature, keyEncipherment, keyCertSign
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = IP:127.0.0.1, DNS:localhost
`;

const days = '3650';
/** OpenSSL 3's own; that of 1.1 encrypts certificates with RC2. */
const encryption = ['-keypbe', 'AES-256-CBC', '-certpbe', 'AES-256-CBC', '-macalg', 'sha256'];

/**
 * Makes a new key and certificate in `folder`, which is emptied and this user's alone. Takes a tenth of a second.
 * @throws DynoError with OpenSSL's words.
 */
export async function makeCertificate(
  openssl: string,
  folder: string,
  commonName: string,
  password: string,
): Promise<Certificate> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [config, key] = ['request.cnf', 'key.pem'];
  const [pem, pfx] = ['certificate.pem', 'certificate.pfx'];
  writeFileSync(join(folder, config), request(commonName));
  try {
    const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', pem, '-days', days];
    await run(openssl, ['req', '-x509', '-config', config, ...made], { cwd: folder });
    const exported = ['-inkey', key, '-in', pem, '-out', pfx, '-passout', 'stdin', ...encryption];
    const running = run(openssl, ['pkcs12', '-export', ...exported], { cwd: folder });
    running.child.stdin?.on('error', () => {}); // It ended before reading: `running` tells.
    running.child.stdin?.end(`${password}\n`);
    await running;
  } catch (thrown) {
    throw new DynoError('other', `A certificate could not be made: ${wordsOf(thrown).trim()}`);
  } finally {
    for (const file of [config, key]) rmSync(join(folder, file), { force: true });
  }
  return { pem: join(folder, pem), pfx: join(folder, pfx) };
}
