import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { DynoError } from '#model/error.ts';
import { readGiven } from '#platform/given-file.ts';
import { pem } from '../../shared/tls.ts';
import type { RavenConfig } from '../config.ts';

/** The certificates and keys as options of Node's tls. */
export type TlsFiles = Pick<ConnectionOptions, 'cert' | 'key' | 'pfx' | 'passphrase' | 'ca' | 'rejectUnauthorized'>;

/** The largest file with a certificate, its chain and its key. */
const mostBytes = 1_000_000;

/**
 * The options for Node's tls: the client's certificate, and the trusted CAs. Null: http.
 * @throws DynoError 'badInput' for files that cannot be read or opened.
 */
export function tlsOptions({ certificate, certificatePassword, ca, verifyServer }: RavenConfig): TlsFiles | null {
  if (certificate === null) return null;
  const file = read(certificate);
  const options: TlsFiles = {
    ...(file.includes('-----BEGIN') ? { cert: file, key: file } : { pfx: file }),
    ...(certificatePassword !== null && { passphrase: certificatePassword }),
    ...(ca !== null && { ca: pem('ca', ca) }),
    rejectUnauthorized: verifyServer,
  };
  try {
    createSecureContext(options);
  } catch (error) {
    throw new DynoError('badInput', `certificate: ${certificate} cannot be used: ${wordsOf(error)}.`, {
      hint: 'It must be a PFX file, or a PEM file with certificate and private key, and certificatePassword must open it.',
    });
  }
  return options;
}

function read(path: string): Buffer {
  try {
    return readGiven(path, mostBytes, 'a certificate');
  } catch (error) {
    throw new DynoError('badInput', `certificate: ${wordsOf(error).replace(/\.$/, '')}.`, {
      hint: 'certificate is the path of a PFX or PEM file.',
    });
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
