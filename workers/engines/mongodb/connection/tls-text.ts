import type { MongoClient } from 'mongodb';
import { socketsOf } from './wire-bytes.ts';

/** The version and the cipher of TLS on this client's connection; 'off': there is no TLS. */
export function tlsText(client: MongoClient): string {
  const [socket] = socketsOf(client);
  if (!socket || !('getCipher' in socket) || !('getProtocol' in socket)) return 'off';
  const { getCipher, getProtocol } = socket as unknown as {
    getCipher(): { readonly name: string } | undefined;
    getProtocol(): string | null;
  };
  return `${getProtocol.call(socket)} ${getCipher.call(socket)?.name ?? ''}`;
}
