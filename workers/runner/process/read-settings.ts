import type { Session } from '#engine-api/session.ts';
import type { ReportedSettings } from '#model/settings/session-settings.ts';
import { mergeReported } from '#protocol/session-values.ts';

/** The values that the server reports for these settings of all sessions of a worker. */
export async function readSettings(
  connections: readonly { readonly session: Session }[],
  names: readonly string[],
): Promise<ReportedSettings> {
  const all: ReportedSettings[] = [];
  for (const { session } of connections) all.push((await session.readSettings?.(names)) ?? {});
  return mergeReported(names, all);
}
