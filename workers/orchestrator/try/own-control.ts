import { randomBytes } from 'node:crypto';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { Connection, Passwords } from '#model/connections.ts';
import type { Home } from '#platform/paths.ts';
import type { PlannedTarget } from '#protocol/plan.ts';
import { connectionsIn, requirePasswords } from '#workspace/connections/connection-passwords.ts';
import { type Control, createControl } from '../worker/control.ts';
import { catalogEntry, type Reachable, type Variables } from '../worker/targets.ts';

/** Options of everything that uses an experiment's targets outside of a run. */
export interface Access {
  readonly home: Home;
  readonly variables?: Variables;
  readonly passwords?: Passwords;
  readonly signal: AbortSignal;
  readonly onActivity: (text: string) => void;
}

const nameOf = (target: Experiment['targets'][number]): string => (typeof target === 'string' ? target : target.name);

/** The connections that these targets are. Throws 'badInput' where one has no password. */
export function reach(
  { targets: all }: Experiment,
  targets: readonly PlannedTarget[],
  connections: readonly Connection[],
  { passwords = {}, variables = process.env }: Access,
): Reachable {
  const specs = all.filter((one) => targets.some(({ name }) => name === nameOf(one)));
  const found = connectionsIn(specs, connections);
  requirePasswords(found, passwords, variables);
  return { connections: found, passwords };
}

/** A control connection of its own; `tag`: what begins the names of its tables. */
export function controlOf(
  planned: PlannedTarget,
  experiment: Experiment,
  reachable: Reachable,
  { home, variables = process.env, onActivity }: Access,
): { readonly control: Control; readonly tag: string } {
  const tag = randomBytes(4).toString('hex');
  const control = createControl({
    planned,
    descriptor: catalogEntry(planned.engine).descriptor,
    experiment,
    home,
    variables,
    reachable,
    tag: `dyno-${tag}`,
    onActivity,
    onProgress: () => {},
  });
  return { control, tag };
}

/** Closes a control connection. Never throws: a worker that does not leave is killed by its own time limit. */
export async function leave(control: Control): Promise<void> {
  try {
    await control[Symbol.asyncDispose]();
  } catch {}
}
