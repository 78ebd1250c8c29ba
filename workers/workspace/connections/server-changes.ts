import { DynoError } from '#model/error.ts';
import { serverChanges } from '#planning/server-instances.ts';
import type { Plan } from '#protocol/plan.ts';
import { formatChange, type ServerChange } from '#protocol/server-change.ts';

/** The changes of servers whose connections' names were not typed. */
export const unconfirmedChanges = (plan: Plan, typed: readonly string[]): readonly ServerChange[] =>
  serverChanges(plan).filter(({ connection }) => typed.every((text) => text.trim() !== connection));

/**
 * Throws 'notConfirmed' if a plan changes parameters of the user's servers, and the name of a connection was not typed.
 * Trust in a file does not stand for it.
 */
export function requireChangesConfirmed(plan: Plan, typed: readonly string[] = []): void {
  const missing = unconfirmedChanges(plan, typed);
  if (missing.length === 0) return;
  const servers = missing.map(
    ({ connection, parameters }) => `“${connection}” (${parameters.map(formatChange).join(', ')})`,
  );
  throw new DynoError(
    'notConfirmed',
    `The experiment changes parameters of your own server, for all its users, and nobody has confirmed it: ${servers.join(', ')}.`,
    {
      hint: `If it is meant, type the name of the connection: ${missing.map(({ connection }) => `--change-server ${/^[\w.-]+$/.test(connection) ? connection : `'${connection}'`}`).join(' ')}`,
    },
  );
}
