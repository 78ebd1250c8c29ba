import { DynoError } from '#model/error.ts';
import type { Parameter } from './connection-strings.ts';
import { requireOnce } from './once.ts';

/** One host of a URL. */
interface UrlHost {
  /** A name, an address (IPv6 without brackets) or the path of a socket, percent-decoded. Empty: the URL names none. */
  readonly host: string;
  /** A TCP port, not yet checked against the field's bounds; null: the URL has none. */
  readonly port: number | null;
}

/** A URL's parts, percent-decoded. Absent or empty parts are null. */
interface UrlParts {
  /** The scheme in lower case. */
  readonly scheme: string;
  /** The user who logs in. */
  readonly user: string | null;
  /** A secret: messages never repeat it. */
  readonly password: string | null;
  /** At least one host, whose name may be empty. */
  readonly hosts: readonly UrlHost[];
  /** The path without its first slash. */
  readonly path: string | null;
  /** The parameters in their order; a name may come more than once. */
  readonly parameters: readonly Parameter[];
}

/** How the drivers of an engine read URLs. */
interface UrlForm {
  /** The engine's label, for messages. */
  readonly label: string;
  /** A URL of the engine, for messages. */
  readonly example: string;
  /** False: user and password stand among the parameters alone, and # is an ordinary character. Default: true. */
  readonly userInfo?: boolean;
  /** True: a + among the parameters is a blank, as in HTML forms. Default: false. */
  readonly plusIsBlank?: boolean;
}

/** The way to write special characters in a URL. */
export const escapesHint =
  'In a URL the special characters of a password are written percent-encoded: % as %25, @ as %40, / as %2F, : as %3A, # as %23, ? as %3F, & as %26, + as %2B, a blank as %20.';

/** True for a text that begins as a URL does. */
export const hasScheme = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

const host = String.raw`(?:\[[0-9a-f:.]+(?:%[\w.]+)?\]|[^\s:@/?#,;()[\]]*)(?::\d{1,5})?`;
const behindUser = new RegExp(
  String.raw`^(?<hosts>${host}(?:,${host})*)(?:/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$`,
  'i',
);

/**
 * Takes a URL apart. A password may have special characters that are not percent-encoded, as in files of environment
 * variables, if the URL has no other reading. Errors never repeat the URL: it may hold a password.
 * @throws DynoError 'badInput' for a text that is no URL, or can be read in more than one way.
 */
export function splitUrl(url: string, form: UrlForm): UrlParts {
  const { label, example, userInfo = true } = form;
  const [references, text] = withoutReferences(url.trim());
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
  const rest = scheme === undefined ? null : text.slice(scheme.length + '://'.length);
  // A # belongs to the parameters if nothing else can have it.
  const readable = userInfo ? rest : (rest?.replaceAll('#', '%23') ?? null);
  const readings = readable === null ? [] : userInfo ? readingsOf(readable) : [readingAt(readable, -1)];
  const [reading, ...others] = readings.filter((one) => one !== null);
  if (scheme === undefined || !reading)
    throw new DynoError('badInput', `url is not a ${label} URL.`, { hint: `It looks like ${example}. ${escapesHint}` });
  if (others.length > 0)
    throw new DynoError('badInput', 'url can be read in more than one way: it has an @ more than it needs.', {
      hint: `${escapesHint} Or leave the password out of the URL, and give it as the field password.`,
    });
  const shown = (part: string | undefined) => {
    const decoded = decode(part);
    return decoded === null ? null : references(decoded);
  };
  return {
    scheme: scheme.toLowerCase(),
    user: shown(reading.user),
    password: shown(reading.password),
    hosts: reading.hosts.split(',').map((one) => {
      const { name = '', port } = /^(?<name>.*?)(?::(?<port>\d{1,5}))?$/.exec(one)?.groups ?? {};
      return { host: shown(name.replace(/^\[(.*)\]$/, '$1')) ?? '', port: port === undefined ? null : Number(port) };
    }),
    path: shown(reading.path),
    parameters: readQuery(reading.query ?? '', form.plusIsBlank === true).map(([name, value]) => [
      references(name),
      references(value),
    ]),
  };
}

/** One way to read a URL: its parts as they are written. */
interface Split {
  /** The user who logs in. */
  readonly user?: string;
  /** The password, a secret. */
  readonly password?: string;
  /** The hosts, with commas between them. */
  readonly hosts: string;
  /** The path without its first slash. */
  readonly path?: string | undefined;
  /** The parameters without the question mark. */
  readonly query?: string | undefined;
}

/** The limit of @ in a URL. No password has more of them, and each makes a hostile text slower to read. */
const mostAts = 64;

/** All ways to read the part behind the scheme: each @ may be the one before the host. */
function readingsOf(rest: string): readonly (Split | null)[] {
  const ats = [...rest.matchAll(/@/g)].map(({ index }) => index);
  return ats.length > mostAts ? [] : [-1, ...ats].map((at) => readingAt(rest, at));
}

function readingAt(rest: string, at: number): Split | null {
  const match = behindUser.exec(rest.slice(at + 1))?.groups;
  if (!match) return null;
  const { hosts = '', path, query } = match;
  if (at < 0) return { hosts, path, query };
  const before = rest.slice(0, at);
  const colon = before.indexOf(':');
  const user = colon < 0 ? before : before.slice(0, colon);
  // Only a password is a text of its owner's choice.
  if (/[/?#]/.test(user)) return null;
  return { user, ...(colon >= 0 && { password: before.slice(colon + 1) }), hosts, path, query };
}

/** The parameters of a query, percent-decoded. A parameter without = has no value. */
export function readQuery(query: string, plusIsBlank: boolean): readonly Parameter[] {
  const parameters = query
    .split('&')
    .filter((one) => one !== '')
    .map((one): Parameter => {
      const at = one.indexOf('=');
      const [name, value] = at < 0 ? [one, ''] : [one.slice(0, at), one.slice(at + 1)];
      if (value.includes('+') && /^(password|pwd|pass|user|username|uid)$/i.test(name) && plusIsBlank)
        throw new DynoError('badInput', 'url has a + in its user or password, which some drivers read as a blank.', {
          hint: 'Write %2B for a +, and %20 for a blank.',
        });
      const plain = plusIsBlank ? value.replaceAll('+', ' ') : value;
      return [decode(name) ?? '', decode(plain) ?? ''];
    });
  return requireOnce(parameters);
}

/**
 * Percent-decodes a text. If no % begins an escape, the text was not encoded.
 * @throws DynoError 'badInput' if some do and others do not.
 */
export function decode(part: string | undefined): string | null {
  if (!part) return null;
  if (!/%[0-9a-f]{2}/i.test(part)) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new DynoError('badInput', 'url has a % that is not followed by two hexadecimal digits of a character.', {
      hint: escapesHint,
    });
  }
}

/** The text with a private character in place of each `${env:NAME}`, and the function that puts them back. */
function withoutReferences(text: string): readonly [(part: string) => string, string] {
  const found: string[] = [];
  const plain = text.replaceAll(/\$\{env:[A-Za-z_][A-Za-z0-9_]*\}/g, (reference) => {
    found.push(reference);
    return `\uE000${found.length - 1}\uE001`;
  });
  return [
    (part) => part.replaceAll(/\uE000(\d+)\uE001/g, (whole, index: string) => found[Number(index)] ?? whole),
    plain,
  ];
}
