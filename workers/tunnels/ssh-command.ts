import { homedir } from 'node:os';
import type { Endpoint } from '#engine-api/config.ts';
import { DynoError } from '#model/error.ts';
import type { Ssh } from '#model/ssh.ts';
import { headOfGiven } from '#platform/given-file.ts';

/** A port of 127.0.0.1, and the server that connections to it reach from the SSH server. */
interface Forward {
  readonly port: number;
  readonly to: Endpoint;
}

/** The word that `ssh` prints once it has logged in and listens on its ports. */
export const openWord = 'dyno-tunnel-open';

/**
 * The arguments of `ssh` for a tunnel. It prints {@link openWord} by its LocalCommand, which it runs after it has
 * logged in and bound its ports.
 */
export const sshArguments = (ssh: Ssh, forwards: readonly Forward[]): readonly string[] => [
  '-N',
  ...loginArguments(ssh, ['PermitLocalCommand=yes', `LocalCommand=echo ${openWord}`]),
  ...forwards.flatMap((one) => ['-L', `127.0.0.1:${one.port}:[${one.to.host}]:${one.to.port}`]),
  '--',
  ssh.host,
];

/**
 * The arguments of `ssh` that run a command on its host. `listenFor`: a port of this machine that connections to a port
 * of the host's loopback reach; `ssh` prints which one (see {@link allocatedPort}).
 */
export const sshRunArguments = (ssh: Ssh, command: string, listenFor: number | null = null): readonly string[] => [
  ...loginArguments(ssh, []),
  ...(listenFor === null ? [] : ['-R', `127.0.0.1:0:127.0.0.1:${listenFor}`]),
  '--',
  ssh.host,
  command,
];

/**
 * The port that an SSH host listens on for this machine, from the output of `ssh`; null: it has not printed the port
 * yet.
 */
export function allocatedPort(said: string): number | null {
  const [, port] = /^Allocated port (\d+) for remote forward/m.exec(said) ?? [];
  return port === undefined ? null : Number(port);
}

/**
 * The arguments of every `ssh`: it asks nobody (BatchMode), and gives up if a port is taken. A master connection of the
 * user's (ControlMaster) would keep the tunnel open after this `ssh` has ended. The user's configuration decides which
 * host keys are trusted.
 */
function loginArguments(ssh: Ssh, more: readonly string[]): readonly string[] {
  const { user, port, identityFile, jump } = ssh;
  const options = [
    'BatchMode=yes',
    'ExitOnForwardFailure=yes',
    'ControlMaster=no',
    'ControlPath=none',
    'RemoteCommand=none',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=3',
    'LogLevel=INFO',
    // An agent with many keys would try all of them, and the server would hang up before the turn of this key.
    ...(identityFile === undefined ? [] : ['IdentitiesOnly=yes']),
    ...more,
  ];
  return [
    ...['-T', '-a', '-x'],
    ...options.flatMap((option) => ['-o', option]),
    ...(user === undefined ? [] : ['-l', user]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...(identityFile === undefined ? [] : ['-i', identityFile]),
    ...(jump === undefined ? [] : ['-J', jump]),
  ];
}

/**
 * Refuses a private key that is a pipe, for which `ssh` would wait, a device or a folder. A file that `ssh` cannot open
 * it names by itself.
 * @throws DynoError 'badInput'.
 */
export function requireKeyFile({ identityFile }: Ssh): void {
  if (identityFile === undefined) return;
  try {
    headOfGiven(identityFile.replace(/^~(?=\/)/, homedir()), 1, identityFile);
  } catch (thrown) {
    if (!(thrown instanceof DynoError) || thrown.data.code === null) throw thrown;
  }
}

/** The command with which a user tries the same login. */
export const loginCommand = ({ host, user, port, identityFile, jump }: Ssh): string =>
  [
    'ssh',
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...(identityFile === undefined ? [] : ['-i', `'${identityFile}'`]),
    ...(jump === undefined ? [] : ['-J', jump]),
    user === undefined ? host : `${user}@${host}`,
  ].join(' ');
