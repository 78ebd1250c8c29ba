import { DynoError, type ErrorKind } from '#model/error.ts';
import { type Ssh, sshText } from '#model/ssh.ts';
import { loginCommand } from './ssh-command.ts';

/** A reason why `ssh` gave up, by its own words, and what to do about it. */
interface Reason {
  readonly words: RegExp;
  readonly kind: ErrorKind;
  hint(ssh: Ssh): string;
}

const checkConfig = 'Check its host, port and jump hosts, and ~/.ssh/config.';

/** The first reason whose words are found counts. */
const reasons: readonly Reason[] = [
  {
    words: /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key for .* has changed/i,
    kind: 'tls',
    hint: ({ host }) =>
      `The host shows another key than the one in known_hosts: somebody may be in between. Ask its administrator for the fingerprint; if the key was replaced, remove the old one (ssh-keygen -R ${host}) and log in once by hand.`,
  },
  {
    words: /Host key verification failed|host key is known for/i,
    kind: 'tls',
    hint: (ssh) =>
      `The host’s key is not in known_hosts. Log in once by hand and compare the fingerprint with what its administrator says: ${loginCommand(ssh)}`,
  },
  {
    words: /Permission denied|Too many authentication failures|no mutual signature/i,
    kind: 'authentication',
    hint: (ssh) =>
      `ssh found no key that the host accepts, and asks for no password here. Load the key into the agent (ssh-add), or name it as the identity file; this must work without a question: ${loginCommand(ssh)}`,
  },
  {
    words: /Could not resolve hostname|Name or service not known|nodename nor servname/i,
    kind: 'unreachable',
    hint: () => `No host of that name. ${checkConfig}`,
  },
  {
    words: /Connection refused/i,
    kind: 'unreachable',
    hint: () => `Nothing listens there for SSH. ${checkConfig}`,
  },
  {
    words: /timed out|No route to host|Network is unreachable|Operation timed out/i,
    kind: 'unreachable',
    hint: () => `A firewall may drop the packets, or the host is off. ${checkConfig}`,
  },
  {
    words: /Address already in use|cannot listen to port|Could not request local forwarding|port forwarding failed/i,
    kind: 'limit',
    hint: ({ host }) =>
      `A port is taken, or the host’s sshd_config forbids it (AllowTcpForwarding, PermitListen). If ~/.ssh/config has a LocalForward or RemoteForward for ${host}, and another ssh uses it: give the tunnel a Host of its own there.`,
  },
  {
    words: /Bad configuration option|terminating, \d+ bad configuration|Bad owner or permissions/i,
    kind: 'badInput',
    hint: () => 'Correct ~/.ssh/config.',
  },
];

/** The output of `ssh` without the lines of a successful login, because banners would hide its reason. */
const lastWords = (said: string): string =>
  said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^@+$/.test(line) && !/^Warning: Permanently added/.test(line))
    .slice(-4)
    .join(' ');

/** The error of a tunnel that could not be opened, with the message of `ssh` and the remedy. `how`: how `ssh` ended. */
export const notOpened = (ssh: Ssh, said: string, how: string): DynoError =>
  sshFailed(`The SSH tunnel through ${sshText(ssh)} could not be opened`, ssh, said, how);

/** The error if `what` failed over SSH, with the message of `ssh` and the remedy. `how`: how `ssh` ended. */
export function sshFailed(what: string, ssh: Ssh, said: string, how: string): DynoError {
  const found = reasons.find(({ words }) => words.test(said));
  const message = `${what}: ${lastWords(said) || `ssh ${how}.`}`;
  return new DynoError(found?.kind ?? 'unreachable', message, {
    hint: found?.hint(ssh) ?? `Does this work without a question? ${loginCommand(ssh)}`,
  });
}

/** There is no `ssh`. */
export const noProgram = (message: string, code: string): DynoError =>
  new DynoError('unsupported', `SSH needs the program ssh, which cannot be started: ${message}`, {
    code,
    hint: 'Install OpenSSH’s client (Debian and Ubuntu: openssh-client; Windows: the optional feature “OpenSSH Client”), or put it on the PATH.',
  });

/** An open tunnel has ended: every connection through it is lost. */
export const broken = (ssh: Ssh, said: string, how: string): DynoError =>
  new DynoError('serverGone', `The SSH tunnel through ${sshText(ssh)} broke: ${lastWords(said) || `ssh ${how}.`}`, {
    hint: 'Every connection went through it. Look at the network to that host, and at its SSH server’s log.',
  });

/** The line of `ssh` for each connection that it could not pass on ("channel 3: open failed: connect failed: …"). */
const notPassedOn = /^channel \d+: open failed: ([^\n]+)/m;

/**
 * The error of a connection that the SSH server did not pass on, from the latest output of `ssh`; null: the output has
 * no such line.
 */
export function refusedBehind(ssh: Ssh, said: string, address: string): DynoError | null {
  const why = notPassedOn.exec(said)?.[1]?.trim();
  if (why === undefined) return null;
  const forbidden = /administratively prohibited/i.test(why);
  return new DynoError(
    forbidden ? 'permission' : 'unreachable',
    `${sshText(ssh)} does not reach ${address}: ${why.replace(/: open failed$/, '')}.`,
    {
      hint: forbidden
        ? 'Its SSH server forbids the tunnel: see AllowTcpForwarding and PermitOpen in its sshd_config.'
        : 'Names and addresses are those that the SSH host knows: is the server running there, and are host and port right as seen from it?',
    },
  );
}
