import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { noSessionSettingsText, sessionSettingProblem } from '#engine-api/support/session-settings.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import { didYouMean } from '#model/text/nearest-word.ts';

/** The reason why sessions of an engine cannot have the experiment's settings, as a sentence; null: they can. */
export const noSessionText = (experiment: Experiment, engine: EngineDescriptor): string | null =>
  Object.keys(sessionSettingsOf(experiment, engine.id)).length === 0 ? null : noSessionSettingsText(engine);

/** Settings of sessions for engines that do not exist, and settings that are never made, with their paths. */
export function* sessionProblems(
  experiment: Experiment,
  catalog: readonly EngineDescriptor[],
): Generator<Problem, void> {
  for (const id of Object.keys(experiment.session ?? {})) {
    const engine = catalog.find((one) => one.id === id);
    if (!engine) yield unknownEngine('session', id, catalog);
    else if (engine.sessionSettings)
      for (const [name, value] of Object.entries(sessionSettingsOf(experiment, id))) {
        const why = sessionSettingProblem(engine, name, value);
        if (why !== null)
          yield {
            path: ['session', id, name],
            at: 'key',
            message: `\`${name}\` is not set in sessions of ${engine.label}.`,
            suggestion: why,
          };
      }
  }
}

/** The mistake of a section by engine that names an engine that does not exist. */
export function unknownEngine(section: string, id: string, catalog: readonly EngineDescriptor[]): Problem {
  const ids = catalog.map((one) => one.id);
  return {
    path: [section, id],
    at: 'key',
    message: `There is no engine \`${id}\`.`,
    suggestion: didYouMean(id, ids) ?? `There are: \`${ids.join('`, `')}\`.`,
  };
}
