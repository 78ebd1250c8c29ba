import type { Options } from '#contract/settings.ts';

/** As SET ISOLATION abbreviates them: none at all, uncommitted read, cursor stability, read stability, repeatable read (serializable). */
export type Isolation = 'NONE' | 'UR' | 'CS' | 'RS' | 'RR';

/** What `isolation` of the engine's options may be. */
export const isolationChoices = ['auto', 'none', 'ur', 'cs', 'rs', 'rr'] as const;

/** What a session of these options asks for; null: what the server gives, and CS where transactions need more than that. */
export function askedIsolation({ isolation }: Options): Isolation | null {
  const asked = String(isolation ?? 'auto');
  return asked === 'auto' ? null : (asked.toUpperCase() as Isolation);
}
