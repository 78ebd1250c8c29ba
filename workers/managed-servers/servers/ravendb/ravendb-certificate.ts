import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynoError } from '#model/error.ts';
import { wordsOf } from '../../process/server-error.ts';

const run = promisify(execFile);

/** The files of a self-signed certificate. */
export interface Certificate {
  /** The certificate as PEM without the key, for the other side to trust. */
  readonly pem: string;
  /** The certificate with its key as encrypted PKCS #12. */
  readonly pfx: string;
}

/**
 * The request for a certificate for a server at 127.0.0.1 and for clients: RavenDB needs both uses, and takes a client
 * with the server's own certificate for the server itself. It is also its own authority, because not every .NET trusts
 * another kind of self-signed certificate.
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
/** The encryption of OpenSSL 3; OpenSSL 1.1 encrypts certificates with RC2. */
const encryption = ['-keypbe', 'AES-256-CBC', '-certpbe', 'AES-256-CBC', '-macalg', 'sha256'];

/**
 * Makes a new key and certificate in `folder`, which is emptied and which only this user can read. It takes a tenth of
 * a second.
 * @throws DynoError with OpenSSL's message.
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
    running.child.stdin?.on('error', () => {}); // OpenSSL ended before reading; `running` has the reason.
    running.child.stdin?.end(`${password}\n`);
    await running;
  } catch (thrown) {
    throw new DynoError('other', `A certificate could not be made: ${wordsOf(thrown).trim()}`);
  } finally {
    for (const file of [config, key]) rmSync(join(folder, file), { force: true });
  }
  return { pem: join(folder, pem), pfx: join(folder, pfx) };
}
