import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** True if this account can mount a file system: root on a Linux that has mount. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && hasMount();

function hasMount(): boolean {
  try {
    execFileSync('mount', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A file system in a new folder, of a size in mount's notation ("64k"), until it is disposed of. Needs `canMount`. */
export function smallDisk(folder: string, size: string): Disposable {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  return { [Symbol.dispose]: () => execFileSync('umount', [folder]) };
}
