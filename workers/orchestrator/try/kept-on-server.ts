import type { KeptStatement } from '#engine-api/kept-statements.ts';
import { DynoError } from '#model/error.ts';
import { ensureHome } from '#platform/paths.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';
import { momentOf } from '../worker/control.ts';
import { type Access, controlOf, leave, readsAlone, requirePasswordsOf } from './own-control.ts';

/** The statements that one target of an experiment has counted, without values. */
export async function keptOnServer(
  options: Access & { readonly experiment: TrustedExperiment; readonly target: string },
): Promise<readonly KeptStatement[]> {
  const target = options.experiment.targets.find(({ name }) => name === options.target);
  if (!target) throw new DynoError('badInput', `The experiment has no target “${options.target}”.`);
  requirePasswordsOf([target], options);
  ensureHome(options.home);
  const { control } = controlOf(target, { ...options, onProduction: readsAlone });
  try {
    await control.connect(options.signal);
    return await control.ask({ call: 'keptStatements' }, momentOf(options.signal));
  } finally {
    await leave(control);
  }
}
