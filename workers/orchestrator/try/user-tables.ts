import { DynoError } from '#model/error.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { ensureHome } from '#platform/paths.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { requirePlan } from '#workspace/library/plan-experiment.ts';
import { type Access, controlOf, leave, reach } from './own-control.ts';

/** Tables of the user's own on one target of an experiment, for an editor to complete. */
export async function ownTablesOf(
  options: Access & { readonly yaml: string; readonly target: string },
): Promise<readonly UserTable[]> {
  const { connections } = openConnectionStore(options.home).list();
  const { experiment, targets } = requirePlan(options.yaml, connections);
  const planned = targets.find(({ name }) => name === options.target);
  if (!planned) throw new DynoError('badInput', `The experiment has no target “${options.target}”.`);
  const reachable = reach(experiment, [planned], connections, options);
  ensureHome(options.home);
  const { control } = controlOf(planned, experiment, reachable, options);
  try {
    await control.connect(options.signal);
    return await control.ask({ call: 'userTables' }, options.signal);
  } finally {
    await leave(control);
  }
}
