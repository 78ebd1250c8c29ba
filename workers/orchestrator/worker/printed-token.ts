import { isMapping } from '#model/is-mapping.ts';

/** A password or token that a command has printed. */
export interface PrintedToken {
  readonly password: string;
  /** Time at which it expires, in ms since 1970; null if the command does not report it. */
  readonly expiresAt: number | null;
}

type Mapping = Readonly<Record<string, unknown>>;

/**
 * The places of a token in the JSON of cloud tools: at the top for az and OAuth, one level below for gcloud and
 * kubectl.
 */
const levels = ['credential', 'status', 'Credentials'] as const;
const tokenNames = ['accessToken', 'access_token', 'token', 'password', 'Token'] as const;
/** Points in time, as numbers of seconds since 1970 or as texts. */
const endNames = [
  'expires_on',
  'expiresOn',
  'expirationTimestamp',
  'token_expiry',
  'expiration',
  'Expiration',
] as const;

/** Returns the text without its last line end; for JSON that contains a token, the token and its expiry. */
export function readPrinted(text: string): PrintedToken {
  const plain = { password: text.replace(/\r?\n$/, ''), expiresAt: null };
  if (!text.trimStart().startsWith('{')) return plain;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return plain;
  }
  if (!isMapping(json)) return plain;
  for (const level of [json, ...levels.map((name) => (json as Mapping)[name]).filter(isMapping)]) {
    const name = tokenNames.find((one) => typeof level[one] === 'string');
    if (name !== undefined) return { password: String(level[name]), expiresAt: endOf(level) };
  }
  return plain;
}

function endOf(level: Mapping): number | null {
  const seconds = Number(level.expires_in ?? level.expiresIn ?? Number.NaN);
  if (Number.isFinite(seconds) && seconds > 0) return Date.now() + seconds * 1_000;
  for (const name of endNames) {
    const value = level[name];
    if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,12}$/.test(value)))
      return Number(value) * 1_000;
    // A time without a zone is local time, as az prints it.
    const at =
      typeof value === 'string' ? Date.parse(value.replace(/^(\d{4}-\d\d-\d\d) (\d\d:)/, '$1T$2')) : Number.NaN;
    if (Number.isFinite(at)) return at;
  }
  return null;
}
