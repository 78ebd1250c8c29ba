/** The SSH server of a connection, in the terms of ssh_config. The system's `ssh` reads all other options. */
export interface Ssh {
  /** A name, an address, or a Host of ~/.ssh/config. */
  readonly host: string;
  /** Default: from ~/.ssh/config, otherwise the account's own name. */
  readonly user?: string;
  /** Default: from ~/.ssh/config, otherwise 22. */
  readonly port?: number;
  /** Path of a private key. Default: the agent's keys, and the keys named in ~/.ssh/config. */
  readonly identityFile?: string;
  /** Jump hosts separated by commas, as for `ssh -J`. Default: from ~/.ssh/config. */
  readonly jump?: string;
}

/** A part of {@link Ssh}. */
type SshPart = keyof Ssh;

/** A problem of one part of an SSH server. */
interface SshProblem {
  readonly part: SshPart;
  readonly message: string;
  readonly hint: string | null;
}

const parts: readonly SshPart[] = ['host', 'user', 'port', 'identityFile', 'jump'];

/**
 * Names without characters that a shell interprets, because ~/.ssh/config may pass host and user to commands
 * (ProxyCommand, Match exec). A name cannot begin like an option.
 */
const hostName = '[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?';
const ipv6 = '[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*';
const userName = String.raw`[A-Za-z0-9_](?:[A-Za-z0-9._@+\\-]*[A-Za-z0-9_.+-])?\$?`;
const host = new RegExp(`^(?:${hostName}|${ipv6})$`);
const user = new RegExp(`^${userName}$`);
const jumps = new RegExp(
  `^(?:${userName}@)?(?:${hostName}|\\[${ipv6}\\])(?::\\d{1,5})?(?:,(?:${userName}@)?(?:${hostName}|\\[${ipv6}\\])(?::\\d{1,5})?)*$`,
);

const rules: { readonly [P in SshPart]: (value: unknown) => string | null } = {
  host: (value) => (isText(value) && host.test(value) ? null : 'is not the name or address of a host'),
  user: (value) => (isText(value) && user.test(value) ? null : 'is not the name of a user'),
  port: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535 ? null : 'is a number from 1 to 65535',
  identityFile: (value) =>
    !isText(value)
      ? 'is the path of a file'
      : value.includes('-----BEGIN')
        ? 'is the path of a file, and never the key itself'
        : /\p{Cc}/u.test(value)
          ? 'has a character that paths do not have'
          : null,
  jump: (value) => (isText(value) && jumps.test(value) ? null : 'is not a list of hosts'),
};
const hints: { readonly [P in SshPart]?: string } = {
  host: 'For example bastion.example.com, 192.0.2.7, or a Host of ~/.ssh/config.',
  jump: 'For example jump.example.com or admin@jump.example.com:2222; several with commas between them.',
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 1_000;

/** All problems of a connection's SSH server. Values are not repeated. */
export const sshProblems = (ssh: Ssh): readonly SshProblem[] =>
  parts.flatMap((part): SshProblem[] => {
    if (ssh[part] === undefined) return [];
    const wrong = rules[part](ssh[part]);
    return wrong === null ? [] : [{ part, message: `ssh.${part} ${wrong}.`, hint: hints[part] ?? null }];
  });

/** The SSH server in the notation of users: admin@bastion.example.com:2222. */
export const sshText = ({ host, user, port }: Ssh): string => {
  const name = host.includes(':') && port !== undefined ? `[${host}]` : host;
  return `${user === undefined ? '' : `${user}@`}${name}${port === undefined ? '' : `:${port}`}`;
};

/** Parses the notation of sshText; {@link sshProblems} reports invalid parts. */
export function sshOf(text: string): Ssh {
  const [, user, host = text, port] = /^(?:([^@]+)@)?(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(text) ?? [];
  return {
    host: host.replace(/^\[|\]$/g, ''),
    ...(user !== undefined && { user }),
    ...(port !== undefined && { port: Number(port) }),
  };
}
