/** Replaces every secret in a text, except secrets of fewer than 3 characters, which would replace too much of it. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length))
    if (secret.length >= 3) clean = clean.replaceAll(secret, '•••');
  return clean;
}

/** The secrets of a value from the environment: the value itself and, in a URL, its password. */
export function secretsIn(value: string): readonly string[] {
  const password = URL.canParse(value) ? new URL(value).password : '';
  return password ? [value, password, decoded(password)] : [value];
}

/** A % that encodes nothing stays: it may be part of a password. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
