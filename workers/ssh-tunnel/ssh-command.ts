import type { Endpoint } from '#engine-api/config.ts';
import type { Ssh } from '#model/ssh.ts';

/** A port of 127.0.0.1, and the server that connections to it reach from the SSH server. */
interface Forward {
  readonly port: number;
  readonly to: Endpoint;
}

/** What `ssh` prints once it has logged in and listens on its ports. */
export const openWord = 'dyno-tunnel-open';

/**
 * The arguments of `ssh` for a tunnel. It asks nobody (BatchMode), gives up where a port is taken, and prints
 * {@link openWord} by its LocalCommand, which it runs after it has logged in and bound its ports. A master connection
 * of the user's (ControlMaster) would keep the tunnel open after this one's end. Whose host keys are trusted is left to
 * the user's configuration.
 */
export function sshArguments(ssh: Ssh, forwards: readonly Forward[]): readonly string[] {
  const { host, user, port, identityFile, jump } = ssh;
  const options = [
    'BatchMode=yes',
    'ExitOnForwardFailure=yes',
    'ControlMaster=no',
    'ControlPath=none',
    'RemoteCommand=none',
    'PermitLocalCommand=yes',
    `LocalCommand=echo ${openWord}`,
    'ServerAliveInterval=15',
    'ServerAliveCountMax=3',
    'LogLevel=INFO',
    // With many keys in the agent, the server would hang up before this one's turn.
    ...(identityFile === undefined ? [] : ['IdentitiesOnly=yes']),
  ];
  return [
    ...['-N', '-T', '-a', '-x'],
    ...options.flatMap((option) => ['-o', option]),
    ...(user === undefined ? [] : ['-l', user]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...(identityFile === undefined ? [] : ['-i', identityFile]),
    ...(jump === undefined ? [] : ['-J', jump]),
    ...forwards.flatMap((one) => ['-L', `127.0.0.1:${one.port}:[${one.to.host}]:${one.to.port}`]),
    '--',
    host,
  ];
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
