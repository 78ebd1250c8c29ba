import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { TlsMode } from '#engine-api/server-fields.ts';
import { DynoError } from '#model/error.ts';
import { readGiven } from '#platform/given-file.ts';

/** The largest file with certificates; those of a whole operating system take a fifth of it. */
const mostBytes = 1_000_000;

/** For Node's tls: `ca` as PEM text. */
interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
}

/** What drivers hand to Node's tls; null: without TLS. Throws 'badInput' for a CA that cannot be read. */
export function tlsOptions(ssl: TlsMode, ca: string | null): TlsOptions | null {
  if (ssl === 'disable') return null;
  if (ssl === 'require') return { rejectUnauthorized: false };
  return { rejectUnauthorized: true, ...(ca !== null && { ca: pem(ca) }) };
}

/** For Node's tls where connections go to another address (ConfigParser.through): checks this host's certificate. */
export const checkedAs = (host: string) => ({
  ...(isIP(host) === 0 && { servername: host }),
  checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
});

/** A target's `ca`, PEM text or the path of a PEM file, as text. Throws 'badInput' where the file cannot be read. */
export function pem(ca: string): string {
  if (ca.includes('-----BEGIN')) return ca;
  try {
    return readGiven(ca, mostBytes, 'a PEM file').toString('utf8');
  } catch (error) {
    throw new DynoError('badInput', `ca: reading ${ca}: ${error instanceof Error ? error.message : error}.`, {
      hint: 'ca is PEM text or the path of a PEM file.',
    });
  }
}
