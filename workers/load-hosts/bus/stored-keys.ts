import { join } from 'node:path';
import { DynoError } from '#model/error.ts';
import { readKept, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';
import type { KeyPair } from './seal.ts';

/**
 * The key pair of this home's coordinator or agent, which is made on first use, in a file that only its owner can read.
 * Throws 'badInput' if the file is damaged: others trust its key, so no new one is made.
 */
export async function storedKeys(home: Home, role: 'coordinator' | 'agent'): Promise<KeyPair> {
  const { isPublicKey, newKeyPair } = await import('./seal.ts'); // Most commands need no keys, and no libsodium.
  const file = join(home.state, `${role}-key.json`);
  const stored = readKept(file) as Partial<KeyPair> | null;
  if (stored !== null) {
    const { publicKey, secretKey } = stored;
    if (typeof publicKey === 'string' && typeof secretKey === 'string' && (await isPublicKey(publicKey)))
      return { publicKey, secretKey };
    throw new DynoError('badInput', `${file} holds no key pair.`, {
      hint: 'Put an older copy in its place, or move it away: then there is a new key, which others have to trust.',
    });
  }
  const made = await newKeyPair();
  writeAtomically(file, JSON.stringify(made));
  return made;
}
