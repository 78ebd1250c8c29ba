import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './project.mjs';

/**
 * Why Chromium's sandbox cannot start for this user, and what to do, as a sentence; null where it can, and as root, where it is off.
 * It needs either user namespaces or its helper chrome-sandbox, set-uid root (chromium docs/linux/suid_sandbox_development.md).
 */
export async function sandboxProblem(executable) {
  if (process.platform !== 'linux' || process.getuid() === 0) return null;
  const helper = join(dirname(executable), 'chrome-sandbox');
  const { uid, mode } = statSync(helper, { throwIfNoEntry: false }) ?? { uid: -1, mode: 0 };
  if (uid === 0 && (mode & 0o4001) === 0o4001) return null;
  // Without the unshare command there is nobody to ask: Electron itself will say.
  const namespaces = await run('unshare', ['--user', '--map-root-user', 'true'], { capture: true }).catch(() => null);
  if (namespaces === null || namespaces.code === 0) return null;
  return [
    'Electron cannot start its sandbox: this system keeps user namespaces from ordinary users, and the sandbox helper is not set-uid root.',
    `Either: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
    'Or, until the next boot, on Ubuntu 24.04 and later: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0',
    'Without a window Dyno works as it is: npm run --silent dyno -- --help',
  ].join('\n');
}
