import { DynoError } from '#model/error.ts';

/**
 * Checks before a command that empties the cache for all sessions: throws 'unsupported' unless this run is alone there.
 */
export function requireNoOthers(sessions: number): void {
  if (sessions !== 0)
    throw new DynoError(
      'unsupported',
      `The cache is not emptied: ${sessions === 1 ? 'a session that is' : `${sessions} sessions that are`} not of this run would lose it, too.`,
      {
        hint: 'End them (agents, monitoring, query windows; other runs of Dyno’s), use a server of its own, or leave out cache: cold.',
      },
    );
}

/** The account may not see other sessions. */
export const othersUnseen = (right: string): DynoError =>
  new DynoError('unsupported', 'The cache is not emptied: this user cannot see whether others use the server.', {
    hint: `Have a DBA run: ${right}; — \`dyno grants\` prints all that is needed. Or leave out cache: cold.`,
  });
