import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { optionAppliesTo, optionProblem, optionsFor } from '#engine-api/support/engine-options.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import {
  defaultSettings,
  type SettingName,
  type Settings,
  settingDefinitions,
  settingNames,
} from '#model/settings/settings.ts';
import { readOnlyOperations } from '#model/settings/vocabulary.ts';
import type { Plan } from '#protocol/plan.ts';

/** Settings that scripts follow. `maxAttempts`: a script tries nothing again, and says so. */
const followed: readonly SettingName[] = [
  'operation',
  'method',
  'rowsPerCall',
  'callsPerCommit',
  'connections',
  'generation',
  'maxAttempts',
  'keyKind',
  'nullShare',
  'distinctTimes',
  'keyCreation',
  'indexCreation',
  'partitions',
  'fillFactor',
  'foreignKeys',
];

/** Settings that change nothing in the work of scripts, by what they are about. */
function isWithoutEffect(name: SettingName, { operation, load }: Settings): boolean {
  switch (name) {
    case 'fetchSize':
    case 'orderBy':
    case 'sortMemoryKb':
      return operation !== 'scan';
    case 'keyDistribution':
    case 'workingSet':
      return operation === 'insert' || operation === 'delete' || operation === 'scan';
    case 'nullBinding':
      return readOnlyOperations.includes(operation) || operation === 'delete';
    case 'arrivals':
    case 'arrivalsPerSecond':
    case 'unitsPerSession':
    case 'sessionLength':
      return load === 'closed';
    case 'rangeRows':
    case 'rangeColumn':
    case 'copyFrom':
    case 'pipelineDepth':
    case 'callsPerBatch':
    case 'bulkFormat':
    case 'documents':
      return true; // No script has ranges, copies, pipelines, batches, bulk loads or documents.
    default:
      return false;
  }
}

/**
 * The reason, as a sentence, why a script of a variant would do something else than Dyno; null: nothing is in its way.
 * `plan`: as the variant runs it. `options`: those that scripts of the engine follow.
 */
export function notInScripts(
  { experiment, measure }: Plan,
  engine: EngineDescriptor,
  settings: Settings,
  options: readonly string[],
): string | null {
  const { operation, method } = settings;
  if (operation === 'statement')
    return 'Statements of your own are texts that you can send yourself; scripts have none.';
  if (operation === 'copy') return 'A copy reads from one server and writes to another; scripts have one connection.';
  if (operation === 'readRange') return 'Scripts have no reads of ranges.';
  if (Object.keys(experiment.dataset.columns).length === 0) return 'The experiment has no table of its own.';
  if (experiment.dataset.from !== undefined) return 'The rows come from a file, which scripts do not contain.';
  if (Object.keys(experiment.tables ?? {}).length > 0) return 'The experiment has further tables; scripts make one.';
  if (experiment.setup !== undefined || experiment.teardown !== undefined)
    return 'The experiment has statements of setup or teardown, which scripts do not run.';
  if (experiment.server !== undefined) return 'The experiment sets parameters of the server; scripts leave it alone.';
  if (Object.keys(sessionSettingsOf(experiment, engine.id)).length > 0)
    return 'The experiment makes settings of the session, which scripts do not make.';
  if (measure.stages !== undefined) return 'The load changes in stages; scripts have one load.';
  if (measure.search !== undefined) return 'The experiment searches for a load; scripts have a fixed one.';
  const setting = settingNames.find(
    (name) => settings[name] !== defaultSettings[name] && !followed.includes(name) && !isWithoutEffect(name, settings),
  );
  if (setting !== undefined)
    return `${settingDefinitions[setting].label}: scripts follow the default alone, and the variant has ${String(settings[setting])}.`;
  // A run file can contain any text, and options become words of CREATE TABLE.
  const wrong = Object.entries(settings.options).find(
    ([name, value]) => name.startsWith(`${engine.id}.`) && optionProblem(name, value, [engine]) !== null,
  );
  if (wrong !== undefined) return `The engine has no option ${wrong[0]} with this value.`;
  const own = optionsFor(engine, settings);
  const option = (engine.options ?? []).find(
    (one) =>
      !options.includes(one.name) && optionAppliesTo(one, operation, method) && own[one.name] !== one.defaultValue,
  );
  return option === undefined
    ? null
    : `${engine.id}.${option.name}: scripts follow the default alone, and the variant has ${String(own[option.name])}.`;
}
