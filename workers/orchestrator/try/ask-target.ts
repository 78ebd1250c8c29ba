import type { KeptStatement } from '#engine-api/kept-statements.ts';
import type { AnsweredRows } from '#engine-api/statement.ts';
import { DynoError } from '#model/error.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { ensureHome } from '#platform/paths.ts';
import type { ControlAnswers, ControlRequest } from '#protocol/messages.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';
import { momentOf } from '../worker/control.ts';
import { type Access, controlOf, leave, readsAlone, requirePasswordsOf } from './own-control.ts';

/** A target of an experiment. */
type OneTarget = Access & { readonly experiment: TrustedExperiment; readonly target: string };

/** The user's tables on one target of an experiment, for an editor's completion. */
export const ownTablesOf = (options: OneTarget): Promise<readonly UserTable[]> => ask(options, { call: 'userTables' });

/** The statements that one target of an experiment has counted, without values. */
export const keptOnServer = (options: OneTarget): Promise<readonly KeptStatement[]> =>
  ask(options, { call: 'keptStatements' });

/** The rows of a query of Dyno's about the server's catalog. */
export const catalogRows = async (options: OneTarget, text: string): Promise<AnsweredRows['rows']> =>
  (await ask(options, { call: 'query', text, tables: {}, options: {}, most: mostCatalogRows, isUndone: true })).rows;

const mostCatalogRows = 1_000;

async function ask<R extends ControlRequest>(options: OneTarget, request: R): Promise<ControlAnswers[R['call']]> {
  const target = options.experiment.targets.find(({ name }) => name === options.target);
  if (!target) throw new DynoError('badInput', `The experiment has no target “${options.target}”.`);
  requirePasswordsOf([target], options);
  ensureHome(options.home);
  const { control } = controlOf(target, { ...options, onProduction: readsAlone });
  try {
    await control.connect(options.signal);
    return await control.ask(request, momentOf(options.signal));
  } finally {
    await leave(control);
  }
}
