import type { Ssh } from '#model/ssh.ts';

/** An SSH server as programs write it, without what is empty; undefined without a host. */
export function sshOf(given: {
  readonly host: string;
  readonly user: string;
  readonly port: string;
  readonly identityFile: string;
  readonly jump?: string;
}): Ssh | undefined {
  const { host, user, port, identityFile, jump = '' } = given;
  if (host === '') return undefined;
  return {
    host,
    ...(user !== '' && { user }),
    ...(/^\d{1,5}$/.test(port) && { port: Number(port) }),
    ...(identityFile !== '' && { identityFile }),
    ...(jump !== '' && { jump }),
  };
}
