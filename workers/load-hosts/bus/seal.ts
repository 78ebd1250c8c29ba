import sodium from 'libsodium-wrappers';

/**
 * Sealed messages: only the holder of one key can read them, and only the holder of the other can have written them
 * (crypto_box of libsodium: X25519, XSalsa20, Poly1305). Whoever carries them learns their length and their time.
 */

/** A key pair; both halves as base64 without padding. The secret half never leaves its process, or its owner's file. */
export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

/** Seals messages to one partner, and opens what comes from it. */
export interface Seal {
  seal(plain: Uint8Array): Uint8Array;
  /** Null: it was not sealed by the partner for this one, or was changed on its way. */
  open(sealed: Uint8Array): Uint8Array | null;
}

export async function newKeyPair(): Promise<KeyPair> {
  await sodium.ready;
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  return { publicKey: sodium.to_base64(publicKey), secretKey: sodium.to_base64(privateKey) };
}

/** Whether a text is the public half of a key pair. */
export async function isPublicKey(text: string): Promise<boolean> {
  await sodium.ready;
  return bytesOf(text) !== null;
}

/** Throws where a key is none. */
export async function sealBetween(own: KeyPair, partner: string): Promise<Seal> {
  await sodium.ready;
  const theirs = bytesOf(partner);
  if (theirs === null) throw new Error('The public key is none.');
  const shared = sodium.crypto_box_beforenm(theirs, sodium.from_base64(own.secretKey));
  const nonceBytes = sodium.crypto_box_NONCEBYTES;
  return {
    seal(plain) {
      const nonce = sodium.randombytes_buf(nonceBytes);
      const cipher = sodium.crypto_box_easy_afternm(plain, nonce, shared);
      const sealed = new Uint8Array(nonceBytes + cipher.length);
      sealed.set(nonce);
      sealed.set(cipher, nonceBytes);
      return sealed;
    },
    open(sealed) {
      try {
        return sodium.crypto_box_open_easy_afternm(sealed.subarray(nonceBytes), sealed.subarray(0, nonceBytes), shared);
      } catch {
        return null; // Too short, or not from the partner.
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
