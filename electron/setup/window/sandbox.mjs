import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../project.mjs';

/**
 * Tells why Chromium's sandbox cannot start for this user, and what to do; null if it can, and for root, who runs
 * without it. The sandbox needs user namespaces, or its helper chrome-sandbox with set-uid root (chromium
 * docs/linux/suid_sandbox_development.md).
 */
export async function sandboxProblem(executable) {
  if (process.platform !== 'linux' || process.getuid() === 0) return null;
  const helper = join(dirname(executable), 'chrome-sandbox');
  const { uid, mode } = statSync(helper, { throwIfNoEntry: false }) ?? { uid: -1, mode: 0 };
  if (uid === 0 && (mode & 0o4001) === 0o4001) return null;
  // Without the unshare command this cannot be known; Electron reports the problem itself.
  const namespaces = await run('unshare', ['--user', '--map-root-user', 'true'], { capture: true }).catch(() => null);
  if (namespaces === null || namespaces.code === 0) return null;
  return [
    'Electron cannot start its sandbox: this system denies user namespaces to ordinary users, and the sandbox helper is not set-uid root.',
    `Either: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
    'Or, until the next boot, on Ubuntu 24.04 and later: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0',
    'The command line works without this: npm run --silent dyno -- --help',
  ].join('\n');
}
