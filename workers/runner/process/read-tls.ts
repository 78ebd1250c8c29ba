import type { Session } from '#engine-api/session.ts';
import { DynoError } from '#model/error.ts';
import { type ReportedSettings, tlsSetting } from '#model/settings/session-settings.ts';
import type { Settings } from '#model/settings/settings.ts';
import { mergeReported } from '#protocol/session-values.ts';

/**
 * The TLS of all sessions of a worker. Throws 'tls' if a session has another than the variant asks for: the figures
 * would stand under a wrong name.
 */
export async function readTls(
  connections: readonly { readonly session: Pick<Session, 'readTls'> }[],
  asked: Settings['tls'],
): Promise<ReportedSettings> {
  const all: ReportedSettings[] = [];
  for (const { session } of connections) {
    const told = (await session.readTls?.()) ?? null;
    if (asked !== 'default' && told !== null && (told === 'off') !== (asked === 'off'))
      throw new DynoError('tls', `tls: ${asked} — a session has ${told === 'off' ? 'no TLS' : told}.`);
    all.push({ [tlsSetting]: told });
  }
  return mergeReported([tlsSetting], all);
}
