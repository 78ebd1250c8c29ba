import { urlField } from '#model/connections.ts';
import { isMapping } from '#model/is-mapping.ts';
import { secretsInString } from './secrets.ts';

const secretKey = /pass(word|wd|phrase)?$|^pwd$|secret|token|api_?key|private_?key/i;
const fromEnvironment = /^\$\{env:[A-Za-z_][A-Za-z0-9_]*\}$/;

/** True for a value that must be written as `${env:NAME}`: its key marks a secret, or it is a URL with a password. */
export function isPlainSecret(key: string, text: string): boolean {
  const isConnectionString = key === urlField || key === 'connectString';
  const secrets = secretKey.test(key) ? [text] : secretsInString(text, isConnectionString);
  return secrets.some((secret) => secret !== '' && !fromEnvironment.test(secret));
}

/** True if a target contains a secret in plain text. */
export function holdsPlainSecret(value: unknown, key = ''): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsPlainSecret(item, key));
  if (isMapping(value)) return Object.entries(value).some(([name, item]) => holdsPlainSecret(item, name));
  return (typeof value === 'string' || typeof value === 'number') && isPlainSecret(key, String(value));
}
