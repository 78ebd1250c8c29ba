/**
 * Replaces every secret in a text, also as servers and libraries write it: URL-encoded, in base64 and in hexadecimal
 * digits. Secrets of fewer than 3 characters stay: they would replace too much of the text.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.filter((secret) => secret.length >= 3).flatMap(formsOf));
  let clean = text;
  for (const form of [...forms].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(form, '•••');
  return clean;
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  // All characters encoded, or only those that have to be, with a blank as %20 or +.
  const percent = [hex.replaceAll(/../g, '%$&'), encodeURIComponent(secret.toWellFormed())];
  const urls = [...percent, ...percent.map((one) => one.replaceAll('%20', '+'))];
  return [
    secret,
    hex,
    hex.toUpperCase(),
    ...urls,
    ...urls.map((one) => one.replaceAll(/%../g, (code) => code.toUpperCase())),
    ...urls.map((one) => one.replaceAll(/%../g, (code) => code.toLowerCase())),
    ...base64Forms(bytes),
  ];
}

/** The number of base64 characters that reveal a secret within a longer text, and do not occur by chance. */
const leastWithin = 8;

/** The secret alone, and within a longer text such as "user:password", because three bytes make four characters. */
function base64Forms(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64').replaceAll('=', '');
  const within = [0, 1, 2].map((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const begin = Math.ceil((before * 8) / 6);
    return shifted.toString('base64').slice(begin, Math.floor((shifted.length * 8) / 6));
  });
  const forms = [whole, ...within.filter((one) => one.length >= leastWithin)];
  return [...forms, ...forms.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'))];
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
