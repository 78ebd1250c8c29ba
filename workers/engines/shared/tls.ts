import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { ConfigParser } from '#engine-api/config.ts';
import type { FieldReader } from '#engine-api/config-fields.ts';
import type { TlsMode } from '#engine-api/server-fields.ts';
import { DynoError } from '#model/error.ts';
import { readGiven } from '#platform/given-file.ts';

/** The largest file with certificates; those of a whole operating system have a fifth of it. */
const mostBytes = 1_000_000;

/** Options of Node's tls. Certificates and keys are PEM texts. */
interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/**
 * The client's identity for a server: paths of PEM files. Without a certificate there is neither a key nor a password.
 */
interface ClientCertificate {
  readonly cert: string | null;
  readonly key: string | null;
  readonly keyPassword: string | null;
}

/**
 * The options that drivers hand to Node's tls. Null: there is no TLS. Throws 'badInput' for a file that cannot be read.
 */
export function tlsOptions(
  ssl: TlsMode,
  ca: string | null,
  { cert, key, keyPassword }: ClientCertificate = { cert: null, key: null, keyPassword: null },
): TlsOptions | null {
  if (ssl === 'disable') return null;
  const own = {
    ...(cert !== null && { cert: pem('cert', cert) }),
    ...(key !== null && { key: pem('key', key) }),
    ...(keyPassword !== null && { passphrase: keyPassword }),
  };
  if (ssl === 'require') return { rejectUnauthorized: false, ...own };
  return { rejectUnauthorized: true, ...(ca !== null && { ca: pem('ca', ca) }), ...own };
}

/**
 * The mode of a target for the setting `tls`. Throws 'unsupported' where TLS would be taken away: an experiment must
 * not send over a network in plain text what the connection encrypts.
 */
export function tlsModeFor(mode: TlsMode, on: boolean): TlsMode {
  if (on) return mode === 'disable' ? 'verify-full' : mode;
  if (mode === 'disable') return mode;
  throw new DynoError('unsupported', 'tls: off — the connection asks for TLS, which no experiment takes away.', {
    hint: 'Compare with a server that Dyno starts, or with a second connection without TLS.',
  });
}

/** ConfigParser.withTls for targets with the fields `ssl` and `ca`. */
export const withSsl: NonNullable<ConfigParser['withTls']> = (parsed, on) => {
  const { ssl, ca } = parsed as { readonly ssl: TlsMode; readonly ca: string | null };
  return { ...parsed, ssl: tlsModeFor(ssl, on), ca: on && ca !== null ? pem('ca', ca) : ca };
};

/** The keys of a target's client certificate. Throws 'badInput' if one is missing or has no use. */
export function readClientCertificate(fields: FieldReader, ssl: TlsMode): ClientCertificate {
  const [cert, key, keyPassword] = [fields.text('cert'), fields.text('key'), fields.text('keyPassword')];
  const refused = (message: string, hint: string) => new DynoError('badInput', message, { hint });
  if (key?.includes('-----BEGIN'))
    throw refused('key must be the path of a file: a private key does not belong here.', 'Keep the key in a file.');
  if (cert !== null && key === null) throw refused('key is missing: a certificate needs its private key.', 'Give key.');
  if (cert === null && key !== null) throw refused('cert is missing: a key needs its certificate.', 'Give cert.');
  if (key === null && keyPassword !== null)
    throw refused('keyPassword opens a private key, and none is given.', 'Give cert and key.');
  if (cert !== null && ssl === 'disable')
    throw refused('cert needs TLS, and ssl is disable.', 'Set ssl to verify-full (or require).');
  return { cert, key, keyPassword };
}

/**
 * Options of Node's tls that check the certificate against this host, although connections go to another address
 * (ConfigParser.through).
 */
export const checkedAs = (host: string) => ({
  ...(isIP(host) === 0 && { servername: host }),
  checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
});

/**
 * The text of a target's key `name`, which is PEM text or the path of a PEM file. Throws 'badInput' if the file cannot
 * be read.
 */
export function pem(name: string, value: string): string {
  return value.includes('-----BEGIN') ? value : textOfFile(name, value);
}

/** The text of the PEM file at a target's key `name`. Throws 'badInput' if it cannot be read. */
export function textOfFile(name: string, path: string): string {
  try {
    return readGiven(path, mostBytes, 'a PEM file').toString('utf8');
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    throw new DynoError('badInput', `${name}: ${why}.`, {
      hint: `${name} leads to a PEM file that this account can read.`,
    });
  }
}
