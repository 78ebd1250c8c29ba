import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '#managed-servers/install/tools.ts';

/** OpenSSL's program; null: there are no certificates to be had here. */
export const openssl = findProgram(['openssl']);

/** The user whom the client's certificate names. */
export const certifiedUser = 'certuser';
/** Opens `client-locked.key`. */
export const keyPassword = 'k3y-passw0rd';

/** Paths of PEM files: a CA, and its certificates for a server on 127.0.0.1 and for a client. */
export interface Certificates extends Disposable {
  readonly ca: string;
  readonly server: { readonly cert: string; readonly key: string };
  /** Certificates of the CA that clients have to refuse for a server on 127.0.0.1. */
  readonly expired: { readonly cert: string; readonly key: string };
  readonly elsewhere: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
  /** The client's key under {@link keyPassword}. */
  readonly lockedKey: string;
  /** A certificate of another CA for the same user. */
  readonly stranger: { readonly cert: string; readonly key: string };
  /** The client's certificate and key in one file. */
  readonly both: string;
  file(name: string): string;
}

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-certificates-'));
  chmodSync(folder, 0o755); // servers may run as nobody
  const file = (name: string) => join(folder, name);
  const run = (command: string) => execFileSync(openssl ?? '', command.split(' '), { stdio: 'ignore', cwd: folder });
  const newKey = '-nodes -newkey rsa:2048';
  const authority = (name: string) =>
    run(`req -x509 -days 10 ${newKey} -keyout ${name}.key -out ${name}.pem -subj /CN=${name}`);
  const sign = (name: string, subject: string, by: string, names: string, days = 10) => {
    run(`req ${newKey} -keyout ${name}.key -out ${name}.csr -subj /CN=${subject}`);
    writeFileSync(file('names'), `subjectAltName=${names}\n`);
    const signed = `-CA ${by}.pem -CAkey ${by}.key -CAcreateserial -days ${days} -extfile names`;
    run(`x509 -req -in ${name}.csr -out ${name}.pem ${signed}`);
    return { cert: file(`${name}.pem`), key: file(`${name}.key`) };
  };
  authority('ca');
  authority('other-ca');
  const server = sign('server', 'dyno', 'ca', 'DNS:localhost,IP:127.0.0.1');
  const expired = sign('expired', 'dyno', 'ca', 'IP:127.0.0.1', -1);
  const elsewhere = sign('elsewhere', 'dyno', 'ca', 'DNS:elsewhere.example');
  const client = sign('client', certifiedUser, 'ca', `DNS:${certifiedUser}`);
  const stranger = sign('stranger', certifiedUser, 'other-ca', `DNS:${certifiedUser}`);
  const lockedKey = file('client-locked.key');
  run(`pkcs8 -topk8 -v2 aes256 -in client.key -out client-locked.key -passout pass:${keyPassword}`);
  const both = file('client-both.pem');
  writeFileSync(both, readFileSync(client.cert, 'utf8') + readFileSync(client.key, 'utf8'), { mode: 0o600 });
  return {
    ca: file('ca.pem'),
    ...{ server, expired, elsewhere, client, lockedKey, stranger, both, file },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
