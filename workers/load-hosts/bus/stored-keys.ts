import { join } from 'node:path';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';
import { isPublicKey, type KeyPair, newKeyPair } from './seal.ts';

/** The key pair of this home's coordinator or agent: made on first use, in a file that only its owner can read. */
export async function storedKeys(home: Home, role: 'coordinator' | 'agent'): Promise<KeyPair> {
  const file = join(home.state, `${role}-key.json`);
  const stored = readJson(file) as Partial<KeyPair> | null;
  if (
    typeof stored?.publicKey === 'string' &&
    typeof stored.secretKey === 'string' &&
    (await isPublicKey(stored.publicKey))
  )
    return { publicKey: stored.publicKey, secretKey: stored.secretKey };
  const made = await newKeyPair();
  writeAtomically(file, JSON.stringify(made));
  return made;
}
