import { readFileSync } from 'node:fs';

/**
 * A file in which the system describes itself; null on other systems, without this file, or if a process has ended.
 * Node reads UTF-8 three times as fast as other encodings, and there is a file per process.
 */
export function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
