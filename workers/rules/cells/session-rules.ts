import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { noSessionSettingsText, sessionSettingProblem } from '#engine-api/support/session-settings.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import { problemsByEngine } from './problems-by-engine.ts';

/** The reason why sessions of an engine cannot have the experiment's settings, as a sentence; null: they can. */
export const noSessionText = (experiment: Experiment, engine: EngineDescriptor): string | null =>
  Object.keys(sessionSettingsOf(experiment, engine.id)).length === 0 ? null : noSessionSettingsText(engine);

/** Settings of sessions for engines that do not exist, and settings that are never made, with their paths. */
export const sessionProblems = (
  experiment: Experiment,
  catalog: readonly EngineDescriptor[],
): Generator<Problem, void> =>
  problemsByEngine(
    {
      key: 'session',
      // An engine without such settings leaves its cells empty, with this reason.
      problemOf: (engine, name, value) => (engine.sessionSettings ? sessionSettingProblem(engine, name, value) : null),
      placeText: ({ label }) => `in sessions of ${label}`,
    },
    experiment,
    catalog,
  );
