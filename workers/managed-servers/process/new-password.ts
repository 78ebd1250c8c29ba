import { randomBytes } from 'node:crypto';

/** A new password of a server's user, without characters that a file or statement would have to escape. */
export const newPassword = (): string => randomBytes(24).toString('base64url');
