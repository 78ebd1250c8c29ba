import { createHash, randomBytes } from 'node:crypto';

/**
 * Strong password substitute (DRDA Volume 3, "Strong Password Substitution", PWDSSB): SHA-1 over a digest of the
 * password, both sides' random numbers, the user and a sequence number. Derby knows its users' passwords as digests
 * alone, so that the digest goes in instead of the password, as Derby's own client does it; that works where Derby has
 * the user itself (BUILTIN) and made the digest with SHA-1.
 */

/** The client's random number (RDs). */
export const newSeed = (): Buffer => randomBytes(8);

export function passwordSubstitute(
  user: string,
  password: string,
  ownSeed: Uint8Array,
  serverSeed: Uint8Array,
): Buffer {
  const name = halfBytes(user);
  const digest = `3b60${sha1(halfBytes(password)).toString('hex')}`;
  const token = sha1(name, halfBytes(digest));
  return sha1(token, serverSeed, ownSeed, name, sequence);
}

const sequence = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1);

function sha1(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/**
 * Derby's way from text to bytes: it writes two bytes for each character, and the next character overwrites the second;
 * the rest stays 0. The server does the same, so this client has to.
 */
function halfBytes(text: string): Buffer {
  const bytes = Buffer.alloc(text.length * 2);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    bytes[at] = (code & 0xf0) >> 4;
    bytes[at + 1] = code & 0x0f;
  }
  return bytes;
}
