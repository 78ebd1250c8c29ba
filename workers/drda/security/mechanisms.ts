import { DrdaError } from '../errors.ts';

/**
 * The ways in which user and password reach the server, by the names of `ConnectOptions.security` (DRDA Volume 3,
 * SECMEC).
 */
export type Mechanism = 'userOnly' | 'plain' | 'substitute' | 'encrypted';

export const mechanismCodes: Readonly<Record<Mechanism, number>> = {
  /** USRIDONL: the user's name, no password. */
  userOnly: 4,
  /** USRIDPWD: user and password in plain. */
  plain: 3,
  /** USRSSBPWD: a digest of the password and of both sides' random numbers. */
  substitute: 8,
  /** EUSRIDPWD: user and password, encrypted with a key that both sides agree on. */
  encrypted: 9,
};

/** The strongest of the mechanisms that a server offers and that use a password. */
export function strongest(codes: readonly number[]): Mechanism | null {
  const order: readonly Mechanism[] = ['encrypted', 'plain', 'substitute'];
  return order.find((mechanism) => codes.includes(mechanismCodes[mechanism])) ?? null;
}

/** The mechanisms of a server as text: "plain (3), 11". */
export function mechanismText(codes: readonly number[]): string {
  const words = codes.map((code) => {
    const known = Object.entries(mechanismCodes).find(([, known]) => known === code);
    return known ? `${known[0]} (${code})` : String(code);
  });
  return words.length > 0 ? words.join(', ') : 'none';
}

/** The answers of SECCHKCD (DRDA Volume 3). */
const checkCodes = new Map<number, string>([
  [0x01, 'the security mechanism is not supported'],
  [0x0a, 'the server’s security service has an error'],
  [0x0b, 'the security token is missing or not valid'],
  [0x0e, 'the password has expired'],
  [0x0f, 'the password is wrong'],
  [0x10, 'the password is missing'],
  [0x12, 'the user is missing'],
  [0x13, 'the user or password is wrong'],
  [0x14, 'the user may not log in any more'],
  [0x15, 'the new password is not valid'],
]);

export function securityError(checkCode: number, codePoint: number): DrdaError {
  const words = checkCodes.get(checkCode) ?? 'the server refused';
  return new DrdaError('security', `Login refused: ${words} (SECCHKCD 0x${checkCode.toString(16).padStart(2, '0')}).`, {
    codePoint,
  });
}
