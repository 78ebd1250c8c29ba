import sodium from 'libsodium-wrappers';

/**
 * Sealed messages: only the holder of one key can read them, and only the holder of the other can have written them.
 * The two share a secret (X25519), from which each purpose and each direction has a key of its own (BLAKE2b) for
 * XSalsa20 and Poly1305: a message that is sent back to its writer, or to where another message is expected, does not
 * open. The carrier of the messages learns their length and their time.
 */

/** A key pair; both halves as base64 without padding. The secret half never leaves its process, or its owner's file. */
export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

/** Seals messages of one purpose to one partner, and opens the messages of this purpose that the partner sealed. */
export interface Seal {
  seal(plain: Uint8Array): Uint8Array;
  /** Null: the partner did not seal it for this key and this purpose, or it was changed on its way. */
  open(sealed: Uint8Array): Uint8Array | null;
}

/** The seals between two keys, by purpose: frames.ts has the purposes of all messages. */
export type Seals = (purpose: string) => Seal;

export async function newKeyPair(): Promise<KeyPair> {
  await sodium.ready;
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  return { publicKey: sodium.to_base64(publicKey), secretKey: sodium.to_base64(privateKey) };
}

/** True if a text is the public half of a key pair. */
export async function isPublicKey(text: string): Promise<boolean> {
  await sodium.ready;
  return bytesOf(text) !== null;
}

/** Throws if a key is invalid. */
export async function sealsBetween(own: KeyPair, partner: string): Promise<Seals> {
  await sodium.ready;
  const [ours, theirs] = [bytesOf(own.publicKey), bytesOf(partner)];
  if (ours === null || theirs === null) throw new Error('The public key is none.');
  const shared = sodium.crypto_box_beforenm(theirs, sodium.from_base64(own.secretKey));
  const keyOf = (purpose: string, from: Uint8Array, to: Uint8Array) =>
    sodium.crypto_generichash(
      sodium.crypto_secretbox_KEYBYTES,
      Buffer.concat([from, to, Buffer.from(purpose)]),
      shared,
    );
  return (purpose) => sealWith(keyOf(purpose, ours, theirs), keyOf(purpose, theirs, ours));
}

function sealWith(sealing: Uint8Array, opening: Uint8Array): Seal {
  const nonceBytes = sodium.crypto_secretbox_NONCEBYTES;
  return {
    seal(plain) {
      const nonce = sodium.randombytes_buf(nonceBytes);
      const cipher = sodium.crypto_secretbox_easy(plain, nonce, sealing);
      const sealed = new Uint8Array(nonceBytes + cipher.length);
      sealed.set(nonce);
      sealed.set(cipher, nonceBytes);
      return sealed;
    },
    open(sealed) {
      try {
        return sodium.crypto_secretbox_open_easy(sealed.subarray(nonceBytes), sealed.subarray(0, nonceBytes), opening);
      } catch {
        return null; // The message is too short, or not from the partner.
      }
    },
  };
}

/** A name that stands for a public key on the bus, where subjects have no other characters. */
export async function keyName(publicKey: string): Promise<string> {
  await sodium.ready;
  return sodium.to_hex(sodium.crypto_generichash(16, publicKey, null));
}

function bytesOf(key: string): Uint8Array | null {
  try {
    const bytes = sodium.from_base64(key);
    return bytes.length === sodium.crypto_box_PUBLICKEYBYTES ? bytes : null;
  } catch {
    return null;
  }
}
