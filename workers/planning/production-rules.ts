import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import { writtenTexts } from '#experiment/statements/written-texts.ts';
import { allTables } from '#model/dataset/tables.ts';
import { isReadOnly, limitsOf, type Production } from '#model/production.ts';
import type { Settings } from '#model/settings/settings.ts';
import { whyItMayWrite } from '#model/statements/reads-only.ts';
import type { PlannedTarget } from '#protocol/plan.ts';
import { whyTooMuch } from './production-load.ts';

/** What a run would do that a production connection does not allow, as a sentence; null: nothing. */
export const whyNotOnProduction = (
  production: Production,
  target: Pick<PlannedTarget, 'name' | 'engine'>,
  descriptor: Pick<EngineDescriptor, 'statements' | 'emptyCache' | 'inProcess'>,
  experiment: Experiment,
  settings: Settings,
): string | null =>
  whyItWrites(production, target, descriptor, experiment, settings) ??
  whyItSlowsOthers(descriptor, settings) ??
  whyTooMuch(limitsOf(production), experiment, settings);

const writesAllowed = 'Its connection is marked as production and read-only: allow writes there, if they are wanted.';

/** What of it would write, where the connection is read-only, as a sentence; null: nothing. */
export function whyItWrites(
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
    const why = language ? whyItMayWrite(chosen, language) : 'Its engine has no statements.';
    if (why !== null)
      return `${kind === 'query' ? `The query of the parameter “${text}”` : `“${text}”`} writes, or may do so. ${why} ${writesAllowed}`;
  }
  return null;
}

/** Whatever a connection allows: that cache is everybody's. */
const whyItSlowsOthers = (
  { emptyCache, inProcess }: Pick<EngineDescriptor, 'emptyCache' | 'inProcess'>,
  { cache }: Settings,
): string | null =>
  cache === 'cold' && emptyCache !== undefined && !inProcess
    ? `cache: cold would empty the cache of a production server for everybody (${emptyCache}).`
    : null;
