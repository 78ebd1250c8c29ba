import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';
import { findProgram } from '#managed-servers/install/tools.ts';
import type { Ssh } from '#model/ssh.ts';
import { probeTcpPort } from '#orchestrator/check/check-network.ts';
import { listening } from '#platform/listening.fixture.ts';
import { allProcs, commandOf } from '#platform/processes.fixture.ts';

const sshd = findProgram(['sshd']);
const ssh = findProgram(['ssh']);

/** The reason why no SSH server can be started here; null: it can. */
const noSshd: string | null =
  process.platform === 'win32'
    ? 'The fixture is for POSIX systems.'
    : sshd === null || ssh === null
      ? 'OpenSSH’s server and client are not both installed (Debian: openssh-server, openssh-client).'
      : null;

/** Tests that need an SSH server; where there can be none, or for another reason (`skipped`), their name says why. */
export function describeWithSshd(name: string, tests: () => void, skipped: string | null = null): void {
  const reason = noSshd ?? skipped;
  describe.skipIf(reason !== null)(reason === null ? name : `${name} (${reason})`, tests);
}

/** An SSH server of the test's own on 127.0.0.1: its keys, its configuration, its port. Disposing of it ends it. */
export interface TestSshd extends AsyncDisposable {
  /** The SSH server as a connection names it. */
  readonly ssh: Ssh;
  /** A PATH whose ssh reads the fixture's configuration and no other; the user's own is never read or written. */
  readonly path: string;
  readonly knownHosts: string;
  /** The host's key as known_hosts has it. */
  readonly hostKey: string;
  file(name: string): string;
  /** Ends the sessions that are open, and lets new ones in. */
  dropSessions(): void;
}

/** Starts it; `more`: lines of its sshd_config that come before the fixture's own. */
export async function startSshd(more = ''): Promise<TestSshd> {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-sshd-'));
  const file = (name: string) => join(folder, name);
  const { username, uid } = userInfo();
  const port = await freePort();
  for (const key of ['host', 'client', 'stranger'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', key, '-f', file(key)]);
  writeFileSync(file('authorized_keys'), readFileSync(file('client.pub')));
  // Root's server gives up its rights in a folder that the package's service makes.
  if (uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  writeFileSync(
    file('sshd_config'),
    `${more}
ListenAddress 127.0.0.1
Port ${port}
HostKey ${file('host')}
AuthorizedKeysFile ${file('authorized_keys')}
PidFile none
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
`,
  );
  const hostKey = `[127.0.0.1]:${port},[localhost]:${port} ${readFileSync(file('host.pub'), 'utf8').split(' ').slice(0, 2).join(' ')}\n`;
  writeFileSync(file('known_hosts'), hostKey);
  writeFileSync(
    file('ssh_config'),
    `Host *
  UserKnownHostsFile ${file('known_hosts')}
  GlobalKnownHostsFile /dev/null
  IdentityFile ${file('client')}
  IdentitiesOnly yes
`,
  );
  mkdirSync(file('bin'));
  writeFileSync(file('bin/ssh'), `#!/bin/sh\nexec '${ssh}' -F '${file('ssh_config')}' "$@"\n`);
  chmodSync(file('bin/ssh'), 0o755);

  const server = spawn(sshd ?? '', ['-D', '-e', '-f', file('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const signal = AbortSignal.timeout(20_000);
  while (server.exitCode === null)
    try {
      await probeTcpPort('127.0.0.1', port, signal);
      break;
    } catch {
      if (signal.aborted) break;
      await sleep(50);
    }
  if (server.exitCode !== null) throw new Error(`sshd did not start: ${said}`);
  const sessions = () => allProcs().filter(({ pid, parent }) => parent === server.pid && /^sshd/.test(commandOf(pid)));
  return {
    ssh: { host: '127.0.0.1', port, user: username },
    path: `${file('bin')}${delimiter}${process.env.PATH}`,
    knownHosts: file('known_hosts'),
    hostKey,
    file,
    dropSessions() {
      for (const { pid } of sessions()) process.kill(pid, 'SIGKILL');
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      for (const { pid } of sessions()) process.kill(pid, 'SIGKILL');
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  await using free = await listening();
  return free.port;
}
