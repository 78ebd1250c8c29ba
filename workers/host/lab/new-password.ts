import { randomBytes } from 'node:crypto';

/**
 * A password of a server's user, for as long as the server runs; without characters that any file or statement would
 * have to escape.
 */
export const newPassword = (): string => randomBytes(24).toString('base64url');
