import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { KeptStatement } from '#engine-api/kept-statements.ts';
import type { AnsweredRows } from '#engine-api/statement.ts';
import type { AskedTable, TableFacts } from '#engine-api/table-facts.ts';
import { DynoError } from '#model/error.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { ensureHome } from '#platform/paths.ts';
import type { ControlAnswers, ControlRequest } from '#protocol/messages.ts';
import type { ToldStatements } from '#protocol/told-statements.ts';
import type { TrustedExperiment, TrustedTarget } from '#workspace/trust/gate.ts';
import { type Control, momentOf } from '../worker/control.ts';
import { type Access, controlOf, leave, readsAlone, requirePasswordsOf } from './own-control.ts';

/** A target of an experiment. */
type OneTarget = Access & { readonly experiment: TrustedExperiment; readonly target: string };

/** The user's tables on one target of an experiment, for an editor's completion. */
export const ownTablesOf = (options: OneTarget): Promise<readonly UserTable[]> => ask(options, { call: 'userTables' });

/** The statements that one target of an experiment has counted, without values. */
export const keptOnServer = async (options: OneTarget): Promise<readonly KeptStatement[]> =>
  (await ask(options, { call: 'keptStatements', since: null })).statements;

/**
 * All that one target tells about its statements, over one connection. `since`: a time in ISO 8601, or null for all
 * that the server has counted.
 */
export const toldStatements = (
  target: TrustedTarget,
  access: Access,
  since: string | null = null,
): Promise<ToldStatements> =>
  connected(target, access, async (control) => ({
    kept: await control.ask({ call: 'keptStatements', since }, momentOf(access.signal)),
    tables: await control.ask({ call: 'userTables' }, momentOf(access.signal)),
  }));

/** The product and the version of a target, and its settings. */
export const productOn = (target: TrustedTarget, access: Access): Promise<Fingerprint> =>
  connected(target, access, (control) => control.ask({ call: 'fingerprint' }, momentOf(access.signal)));

/** The user's tables on a target. */
export const userTablesOn = (target: TrustedTarget, access: Access): Promise<readonly UserTable[]> =>
  connected(target, access, (control) => control.ask({ call: 'userTables' }, momentOf(access.signal)));

/** Definitions and statistics of the user's tables on a target. Empty `asked`: all tables. */
export const tableFactsOn = (
  target: TrustedTarget,
  access: Access,
  asked: readonly AskedTable[],
): Promise<readonly TableFacts[]> =>
  connected(target, access, (control) => control.ask({ call: 'tableFacts', asked }, momentOf(access.signal)));

/** The same for one target of an experiment. */
export const toldStatementsOf = (options: OneTarget): Promise<ToldStatements> =>
  toldStatements(targetOf(options), options);

/** The same for all tables on one target of an experiment. */
export const tableFactsOf = (options: OneTarget): Promise<readonly TableFacts[]> =>
  tableFactsOn(targetOf(options), options, []);

/** The rows of a query of Dyno's about the server's catalog. */
export const catalogRows = async (options: OneTarget, text: string): Promise<AnsweredRows['rows']> =>
  (await ask(options, { call: 'query', text, tables: {}, options: {}, most: mostCatalogRows, isUndone: true })).rows;

const mostCatalogRows = 1_000;

const ask = <R extends ControlRequest>(options: OneTarget, request: R): Promise<ControlAnswers[R['call']]> =>
  connected(targetOf(options), options, (control) => control.ask(request, momentOf(options.signal)));

function targetOf({ experiment, target: wanted }: OneTarget): TrustedTarget {
  const target = experiment.targets.find(({ name }) => name === wanted);
  if (!target) throw new DynoError('badInput', `The experiment has no target “${wanted}”.`);
  return target;
}

/** Does work that only reads with a control connection of its own. */
async function connected<T>(target: TrustedTarget, access: Access, work: (control: Control) => Promise<T>): Promise<T> {
  requirePasswordsOf([target], access);
  ensureHome(access.home);
  const { control } = controlOf(target, { ...access, onProduction: readsAlone });
  try {
    await control.connect(access.signal);
    return await work(control);
  } finally {
    await leave(control);
  }
}
