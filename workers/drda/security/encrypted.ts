import { createCipheriv, getCiphers, randomBytes } from 'node:crypto';
import { DrdaError } from '../errors.ts';

/**
 * Encrypted user and password (DRDA Volume 3, "EUSRIDPWD"). Both sides agree on a key by Diffie-Hellman with the
 * standard's 256-bit prime; eight bytes of it are a DES key (CBC, PKCS #5 padding). This is weak by today's measure: it
 * hides passwords from a listener, but not from somebody who breaks 256 bits or stands between the two sides. TLS is
 * the better choice.
 */

/** Prime and generator of level 5 (DRDA Volume 3, DHENC). */
const prime = 0xc62112d73ee613f0947ab31f0f6846a1bff5b3a4ca0d60bc1e4c7a0d8c16b3e3n;
const generator = 0x4690fa1f7b9e1d4442c86c9114603fdecf071edcec5f626e21e256aed9ea34e4n;
const keyBytes = 32;

export interface KeyAgreement {
  /** The client's SECTKN of ACCSEC. */
  readonly publicKey: Buffer;
  /** Encrypts with the key that follows from the server's SECTKN of ACCSECRD. */
  encrypt(text: Uint8Array, serverKey: Uint8Array): Buffer;
}

/** OpenSSL 3 loads DES only on request. Triple DES with three times the same key is DES. */
const tripleDes = 'des-ede3-cbc';

/** False for builds of OpenSSL that have no DES at all. */
export const canEncrypt = (): boolean => getCiphers().includes(tripleDes);

export function agreeOnKey(): KeyAgreement {
  if (!canEncrypt())
    throw new DrdaError(
      'security',
      'This runtime’s crypto library has no DES, which encrypted user and password need.',
    );
  // Plain arithmetic is used because OpenSSL 3 refuses primes of less than 512 bits.
  const own = numberOf(randomBytes(keyBytes)) % prime;
  const publicKey = bytesOf(power(generator, own));
  return {
    publicKey,
    encrypt(text, serverKey) {
      if (serverKey.length !== keyBytes)
        throw new DrdaError('protocol', 'Malformed reply: the server’s public key is not 32 bytes long.');
      const theirs = numberOf(serverKey);
      // Every power of 0, 1 and -1 is known, so a server that sends one of them gives the key away.
      if (theirs < 2n || theirs > prime - 2n)
        throw new DrdaError('security', 'The server’s public key is not a valid one.');
      const secret = bytesOf(power(theirs, own));
      const key = withOddParity(secret.subarray(12, 20));
      const cipher = createCipheriv(tripleDes, Buffer.concat([key, key, key]), serverKey.subarray(12, 20));
      return Buffer.concat([cipher.update(text), cipher.final()]);
    },
  };
}

/** base ^ exponent modulo the prime. */
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const bytesOf = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(2 * keyBytes, '0'), 'hex');

/** DES keys have an odd number of bits in each byte; the lowest bit makes it odd. */
function withOddParity(key: Buffer): Buffer {
  return Buffer.from(
    key.map((byte) => {
      let bits = 0;
      for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1;
      return bits % 2 === 1 ? byte : byte ^ 1;
    }),
  );
}
