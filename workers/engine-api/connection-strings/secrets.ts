/** Values of settings whose names mark a secret, in the parameters of a URL and in pairs separated by ; or blanks. */
const named =
  /(?:^|[?&;,\s"'{])(?:[\w.-]*(?:password|passwd|pwd|passphrase|secret|token)|pass|access ?key)\s*=\s*(?<secret>"(?:[^"]|"")*"|'(?:[^']|'')*'|\{[^}]*\}|[^&;\s]*)/gi;
/** Passwords between a user and the host, by the forms that connection strings have. */
const beforeHost: readonly RegExp[] = [
  /^(?:jdbc:|r2dbc:)?[a-z][a-z0-9+.:-]*:\/\/[^/?#@:]*:(?<secret>.*)@/is,
  /^(?!jdbc:|r2dbc:|[a-z0-9+.-]+:\/\/)[^\s:/@;=]*:(?<secret>.*)@(?:(?:tcp[46]?|unix)\(|\/)/is,
  /^jdbc:oracle:\w+:[^\s/@]*\/(?<secret>.*)@/is,
];
/**
 * SQL*Plus's user/password@host. Paths look alike, so it counts only if the text is known to be a connection string.
 */
const oracleLogin = /^[^\s/@:;=]+\/(?<secret>.*)@/s;

/**
 * The passwords and tokens in a URL or another connection string. `isConnectionString`: the text is known to be one.
 */
export function secretsInString(text: string, isConnectionString: boolean): readonly string[] {
  const inner = /[?&]odbc_connect=([^&]*)/i.exec(text)?.[1];
  const texts = inner === undefined ? [text] : [text, unescaped(inner.replaceAll('+', ' '))];
  return texts
    .flatMap((one) => [
      ...[...one.matchAll(named)].map(({ groups }) => (groups?.secret ?? '').replace(/^["'{](.*)["'}]$/s, '$1')),
      ...[...beforeHost, ...(isConnectionString ? [oracleLogin] : [])].map(
        (form) => form.exec(one)?.groups?.secret ?? '',
      ),
    ])
    .filter((secret) => secret !== '');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
