import type { Passwords } from '#model/connections.ts';
import type { ServerMark } from '#model/production.ts';
import type { Home } from '#platform/paths.ts';
import type { PlannedTarget } from '#protocol/plan.ts';
import { requirePasswords } from '#workspace/connections/connection-passwords.ts';
import { connectionsOf, type TrustedTarget } from '#workspace/trust/gate.ts';
import { newTag } from '../run/leftovers.ts';
import { type Control, createControl } from '../worker/control.ts';
import type { Variables } from '../worker/targets.ts';

/** Options of all uses of an experiment's targets outside a run. */
export interface Access {
  readonly home: Home;
  readonly variables?: Variables;
  readonly passwords?: Passwords;
  readonly signal: AbortSignal;
  /** See ControlOptions. A use that only reads does not change a production server. */
  readonly onProduction?: (mark: ServerMark) => void;
  readonly onActivity: (text: string) => void;
}

/** Throws 'badInput' if a connection of these targets has no password. */
export function requirePasswordsOf(
  targets: readonly TrustedTarget[],
  { passwords = {}, variables = process.env }: Access,
): void {
  requirePasswords(connectionsOf(targets), passwords, variables);
}

/** Opens a separate control connection. `tag`: the prefix of the names of its tables. */
export function controlOf(
  target: TrustedTarget,
  { home, variables = process.env, passwords = {}, onProduction, onActivity }: Access,
  planned?: PlannedTarget,
): { readonly control: Control; readonly tag: string } {
  const tag = newTag();
  const control = createControl({
    target,
    ...(planned && { planned }),
    home,
    variables,
    passwords,
    tag: `dyno-${tag}`,
    ...(onProduction && { onProduction }),
    onActivity,
    onProgress: () => {},
  });
  return { control, tag };
}

/** A value of `onProduction` for work that creates, changes and measures nothing: it refuses nothing. */
export const readsAlone = (): void => {};

/** Closes a control connection. Never throws: a worker that does not end is killed after its own time limit. */
export async function leave(control: Control): Promise<void> {
  try {
    await control[Symbol.asyncDispose]();
  } catch {}
}
