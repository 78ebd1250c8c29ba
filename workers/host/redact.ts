/** Replaces every secret in a text; secrets of fewer than 3 characters would blacken half of it and are left. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length))
    if (secret.length >= 3) clean = clean.replaceAll(secret, '•••');
  return clean;
}

/** The strings that must not be shown when a value came from the environment: itself and, in a URL, its password. */
export function secretsIn(value: string): readonly string[] {
  if (!URL.canParse(value)) return [value];
  const { password } = new URL(value);
  return password ? [value, password, decodeURIComponent(password)] : [];
}
