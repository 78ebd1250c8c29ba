import { createCipheriv, createDiffieHellman, getCiphers } from 'node:crypto';
import { DrdaError } from '../errors.ts';

/**
 * Encrypted user and password (DRDA Volume 3, "EUSRIDPWD"): a key agreed upon by Diffie-Hellman with the standard's 256-bit prime, of which eight
 * bytes are a DES key (CBC, PKCS #5 padding). Weak by today's measure: it keeps passwords from being read along the way, and not from who
 * breaks 256 bits or stands between. TLS is the better answer.
 */

/** DRDA Volume 3, DHENC: prime and generator of level 5. */
const prime = Buffer.from('c62112d73ee613f0947ab31f0f6846a1bff5b3a4ca0d60bc1e4c7a0d8c16b3e3', 'hex');
const generator = Buffer.from('4690fa1f7b9e1d4442c86c9114603fdecf071edcec5f626e21e256aed9ea34e4', 'hex');
const keyBytes = 32;

export interface KeyAgreement {
  /** SECTKN of ACCSEC. */
  readonly publicKey: Buffer;
  /** Encrypts with the key that follows from SECTKN of ACCSECRD. */
  encrypt(text: Uint8Array, serverKey: Uint8Array): Buffer;
}

/** True where the runtime has what it takes: some builds of OpenSSL come without DES. */
export const canEncrypt = (): boolean => getCiphers().includes('des-cbc');

export function agreeOnKey(): KeyAgreement {
  if (!canEncrypt())
    throw new DrdaError(
      'security',
      'This runtime’s crypto library has no DES, which encrypted user and password need.',
    );
  const pair = createDiffieHellman(prime, generator);
  const publicKey = toLength(pair.generateKeys());
  return {
    publicKey,
    encrypt(text, serverKey) {
      if (serverKey.length !== keyBytes)
        throw new DrdaError('protocol', 'Malformed reply: the server’s public key is not 32 bytes long.');
      let secret: Buffer;
      try {
        secret = toLength(pair.computeSecret(serverKey));
      } catch {
        throw new DrdaError('security', 'The server’s public key is not a valid one.');
      }
      const key = withOddParity(secret.subarray(12, 20));
      const cipher = createCipheriv('des-cbc', key, serverKey.subarray(12, 20));
      return Buffer.concat([cipher.update(text), cipher.final()]);
    },
  };
}

function toLength(key: Buffer): Buffer {
  const padded = Buffer.alloc(keyBytes);
  key.copy(padded, keyBytes - key.length);
  return padded;
}

/** DES keys have an odd number of bits in each byte; the lowest one sees to it. */
function withOddParity(key: Buffer): Buffer {
  return Buffer.from(
    key.map((byte) => {
      let bits = 0;
      for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1;
      return bits % 2 === 1 ? byte : byte ^ 1;
    }),
  );
}
