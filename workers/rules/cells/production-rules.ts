import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import { writtenTexts } from '#experiment/statements/written-texts.ts';
import { allTables } from '#model/dataset/tables.ts';
import { isReadOnly, limitsOf, ownerText, type Production } from '#model/production.ts';
import type { Settings } from '#model/settings/settings.ts';
import { mayWriteText } from '#model/statements/reads-only.ts';
import type { PlannedTarget } from '#protocol/plan.ts';
import type { TargetWithEngine } from '../targets/plan-targets.ts';
import { copySource } from './copy-source.ts';
import { tooMuchText } from './production-load.ts';

/** The work of a run that the mark of a target's server does not allow, as sentences; null: none. */
export function notOnProductionText(
  { mark, target, engine }: Pick<TargetWithEngine, 'mark' | 'target' | 'engine'>,
  experiment: Experiment,
  settings: Settings,
): string | null {
  if (!mark) return null;
  const { production } = mark;
  const why =
    writesText(production, target, engine, experiment, settings) ??
    setsSessionText(experiment, target) ??
    slowsOthersText(engine, settings) ??
    tooMuchText(limitsOf(production), experiment, settings);
  return why === null ? null : `${ownerText(mark)}${why}`;
}

/**
 * The work on the source target of a copy, where Dyno creates the source table, that the mark of its server does not
 * allow, as sentences; null: none, or nothing is copied.
 */
export function notFromProductionText(
  variant: { readonly settings: Settings },
  targets: readonly TargetWithEngine[],
  experiment: Experiment,
): string | null {
  const name = copySource(variant);
  const source = name === null ? undefined : targets.find(({ target }) => target.name === name);
  const why = source ? notOnProductionText(source, experiment, variant.settings) : null;
  return why === null ? null : `${name}, which rows are copied from: ${why}`;
}

const writesAllowed = 'Its connection is marked as production and read-only: allow writes there, if they are wanted.';

/** The work that would write if the connection is read-only, as a sentence; null: none. */
export function writesText(
  production: Production,
  { name, engine }: Pick<PlannedTarget, 'name' | 'engine'>,
  { statements: language }: Pick<EngineDescriptor, 'statements'>,
  experiment: Experiment,
  { operation }: Settings,
): string | null {
  if (!isReadOnly(production)) return null;
  if (operation !== 'statement' || Object.keys(allTables(experiment)).length > 0)
    return `It would create and fill a table. ${writesAllowed}`;
  for (const { kind, name: text, ...written } of writtenTexts(experiment)) {
    const chosen = textFor(written.text, { target: name, engine });
    if (chosen === null) continue;
    const why = language ? mayWriteText(chosen, language) : 'Its engine has no statements.';
    if (why !== null)
      return `${kind === 'query' ? `The query of the parameter “${text}”` : kind === 'setup' || kind === 'teardown' ? `The ${kind} of “${text}”` : `“${text}”`} writes, or may do so. ${why} ${writesAllowed}`;
  }
  return null;
}

/** The experiment's settings for sessions, which no production connection allows, as a sentence; null: it has none. */
export function setsSessionText(experiment: Experiment, { engine }: Pick<PlannedTarget, 'engine'>): string | null {
  const names = Object.keys(sessionSettingsOf(experiment, engine));
  return names.length === 0
    ? null
    : `session: ${names.join(', ')} would be set in sessions of a production server, whose memory, locks and processors the others share. The sessionSettings of the connection itself apply there.`;
}

/** No production connection allows an empty cache, because all users of the server share it. */
const slowsOthersText = (
  { emptyCache, inProcess }: Pick<EngineDescriptor, 'emptyCache' | 'inProcess'>,
  { cache }: Settings,
): string | null =>
  cache === 'cold' && emptyCache !== undefined && !inProcess
    ? `cache: cold would empty the cache of a production server for everybody (${emptyCache}).`
    : null;
