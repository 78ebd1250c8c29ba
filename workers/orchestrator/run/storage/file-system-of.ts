import { readFileSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';

/** The number of the file system of a folder; null: the folder cannot be read. */
export function deviceOf(folder: string): number | null {
  try {
    return statSync(folder).dev;
  } catch {
    return null;
  }
}

/** The type of the file system of a folder (ext4, tmpfs); null: only Linux tells. */
export function fileSystemOf(folder: string): string | null {
  try {
    return typeIn(readFileSync('/proc/self/mountinfo', 'utf8'), realpathSync(folder));
  } catch {
    return null;
  }
}

/** The type of the innermost mount that contains a folder, of lines as proc_pid_mountinfo(5) describes them. */
export function typeIn(mounts: string, folder: string): string | null {
  let best: { readonly at: string; readonly type: string } | null = null;
  for (const line of mounts.split('\n')) {
    const found = /^\S+ \S+ \S+ \S+ (\S+) .*? - (\S+) /.exec(line);
    if (!found) continue;
    const [, escaped = '', type = ''] = found;
    const at = escaped.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
    const isAbove = folder === at || folder.startsWith(at.endsWith(sep) ? at : `${at}${sep}`);
    // A later mount hides an earlier one at the same place.
    if (isAbove && at.length >= (best?.at.length ?? 0)) best = { at, type };
  }
  return best?.type ?? null;
}
