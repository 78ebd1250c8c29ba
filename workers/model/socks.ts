import { isReference } from './reference.ts';

/** The SOCKS5 proxy that a connection goes through (RFC 1928). The proxy looks up the server's name. */
export interface Socks {
  /** A name or an address. */
  readonly host: string;
  /** Default: {@link socksPort}. */
  readonly port?: number;
  /** Default: the proxy asks for no login. */
  readonly user?: string;
  /**
   * `${env:NAME}`; any other password is stored with the connection's, as {@link socksPasswordField}. Default: empty.
   */
  readonly password?: string;
}

/** The default port of a SOCKS proxy (IANA). */
export const socksPort = 1_080;

/** The name of the SOCKS proxy's password among a connection's passwords. */
export const socksPasswordField = 'socksPassword';

/** The label of the password in forms and questions. */
export const socksPasswordLabel = 'SOCKS password';

type SocksPart = keyof Socks;

/** A problem of one part of a SOCKS proxy. */
interface SocksProblem {
  readonly part: SocksPart;
  readonly message: string;
  readonly hint: string | null;
}

const host = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/;

/** RFC 1929 has one byte for the length of a user and of a password. */
export const mostLoginBytes = 255;

const rules: { readonly [P in SocksPart]: (value: Socks[P]) => string | null } = {
  host: (value = '') => (host.test(value) && value.length <= 255 ? null : 'is not the name or address of a host'),
  port: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535 ? null : 'is a number from 1 to 65535',
  user: (value = '') =>
    value !== '' && value.length <= mostLoginBytes ? null : `has 1 to ${mostLoginBytes} characters`,
  password: (value) => (isReference(value) ? null : 'is no password, but names the environment variable that holds it'),
};
const hints: { readonly [P in SocksPart]?: string } = {
  host: 'For example proxy.example.com or 192.0.2.7.',
  password: `\${env:NAME}; or leave it out, and give the password in the form.`,
};

/** All problems of a connection's SOCKS proxy. Values are not repeated. */
export const socksProblems = (socks: Socks): readonly SocksProblem[] =>
  (['host', 'port', 'user', 'password'] as const).flatMap((part): SocksProblem[] => {
    if (socks[part] === undefined) return [];
    const judge = rules[part] as (value: unknown) => string | null;
    const wrong = judge(socks[part]);
    return wrong === null ? [] : [{ part, message: `socks.${part} ${wrong}.`, hint: hints[part] ?? null }];
  });

/** The SOCKS proxy in the notation of users: ann@proxy.example.com:1080. */
export const socksText = ({ host: name, port = socksPort, user }: Socks): string =>
  `${user === undefined ? '' : `${user}@`}${name.includes(':') ? `[${name}]` : name}:${port}`;
