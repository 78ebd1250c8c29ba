import { readFileSync } from 'node:fs';

/** A Linux distribution as /etc/os-release names it: 'debian', '13'. */
export interface Distribution {
  readonly id: string;
  /** Null: the distribution has no releases. */
  readonly version: string | null;
}

/** This machine's distribution. Null: no file names it. */
export function thisDistribution(): Distribution | null {
  try {
    return distributionIn(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return null; // The system is not Linux, or lacks the file.
  }
}

export function distributionIn(release: string): Distribution | null {
  const of = (name: string) => new RegExp(`^${name}=["']?([^"'\\n]*)`, 'm').exec(release)?.[1];
  const id = of('ID');
  return id ? { id, version: of('VERSION_ID') ?? null } : null;
}
