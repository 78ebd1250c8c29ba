import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import { allTables } from '#model/dataset/tables.ts';
import { formatCount } from '#model/format/format.ts';
import { isReadOnly, limitsOf, type Production } from '#model/production.ts';
import type { Settings } from '#model/settings/settings.ts';
import { type LoadModel, loadModel } from '#model/statements/load-model.ts';
import { looksLikeRead } from '#model/statements/try-rules.ts';
import type { PlannedTarget } from '#protocol/plan.ts';

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
  const { statements = {}, checks = {} } = experiment;
  for (const [statement, { text }] of [...Object.entries(statements), ...Object.entries(checks)]) {
    const chosen = textFor(text, { target: name, engine });
    if (chosen !== null && !(language && looksLikeRead(chosen, language)))
      return `“${statement}” writes, or may do so. ${writesAllowed}`;
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

function whyTooMuch(
  { maxConnections, maxPerSecond }: ReturnType<typeof limitsOf>,
  { measure }: Experiment,
  settings: Settings,
): string | null {
  const { connections } = settings;
  if (connections > maxConnections)
    return `${formatCount(connections)} connections are more than the ${formatCount(maxConnections)} that its production connection allows.`;
  const peak = Math.max(1, ...(measure.stages ?? []).flatMap(({ from, to }) => [from ?? 0, to]));
  const most = mostPerSecond(loadModel(settings));
  if (most === null)
    return `Nothing limits how many calls a second a closed load without think time makes, and its production connection allows ${formatCount(maxPerSecond)}: set load: open with arrivalsPerSecond, or a think time.`;
  return most * peak > maxPerSecond
    ? `Up to ${formatCount(most * peak)} calls a second are more than the ${formatCount(maxPerSecond)} that its production connection allows.`
    : null;
}

/** Units of work per second that a load makes at most, on average; null: as many as the server answers. */
function mostPerSecond(load: LoadModel): number | null {
  switch (load.kind) {
    case 'closed':
      return load.thinkMs > 0 ? (load.users * 1_000) / load.thinkMs : null;
    case 'open':
      return load.arrivalsPerSecond;
    case 'partlyOpen':
      return load.arrivalsPerSecond * load.unitsPerSession;
  }
}
