import { urlField } from '#model/connections.ts';
import { leavesOf } from '#model/leaves.ts';
import { secretsInString } from './secrets.ts';

const secretKey = /pass(word|wd|phrase)?$|^pwd$|secret|token|api_?key|private_?key/i;
const fromEnvironment = /^\$\{env:[A-Za-z_][A-Za-z0-9_]*\}$/;

/** True for a value that must be written as `${env:NAME}`: its key marks a secret, or it is a URL with a password. */
export function isPlainSecret(key: string, text: string): boolean {
  const isConnectionString = key === urlField || key === 'connectString';
  const secrets = secretKey.test(key) ? [text] : secretsInString(text, isConnectionString);
  return secrets.some((secret) => secret !== '' && !fromEnvironment.test(secret));
}

/** True if a target, a list of them, or the value of a key of one contains a secret in plain text. */
export const holdsPlainSecret = (target: unknown, ofKey = ''): boolean =>
  leavesOf(target, [], ofKey).some(
    ({ key, value }) => (typeof value === 'string' || typeof value === 'number') && isPlainSecret(key, String(value)),
  );
