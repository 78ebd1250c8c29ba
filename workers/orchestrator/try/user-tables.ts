import { DynoError } from '#model/error.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { ensureHome } from '#platform/paths.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';
import { momentOf } from '../worker/control.ts';
import { type Access, controlOf, leave, readsAlone, requirePasswordsOf } from './own-control.ts';

/** The user's tables on one target of an experiment, for an editor's completion. */
export async function ownTablesOf(
  options: Access & { readonly experiment: TrustedExperiment; readonly target: string },
): Promise<readonly UserTable[]> {
  const target = options.experiment.targets.find(({ name }) => name === options.target);
  if (!target) throw new DynoError('badInput', `The experiment has no target “${options.target}”.`);
  requirePasswordsOf([target], options);
  ensureHome(options.home);
  const { control } = controlOf(target, { ...options, onProduction: readsAlone });
  try {
    await control.connect(options.signal);
    return await control.ask({ call: 'userTables' }, momentOf(options.signal));
  } finally {
    await leave(control);
  }
}
