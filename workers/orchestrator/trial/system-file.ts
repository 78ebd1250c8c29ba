import { readFileSync } from 'node:fs';

/** A file by which the system tells of itself; null: another system, no such file, or a process that has ended. */
export function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}
