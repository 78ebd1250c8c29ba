import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { notTeardownText, setupFormOf } from '#engine-api/support/setup-form.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { setupTexts, teardownTexts } from '#experiment/statements/setup-texts.ts';
import { keyFor } from '#experiment/statements/statement-mix.ts';
import { allTables } from '#model/dataset/tables.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import type { TargetWithEngine } from '../targets/plan-targets.ts';

/** Statements of `setup` and `teardown` that Dyno could not undo, and names that tables have already. */
export function setupProblems(experiment: Experiment, targets: readonly TargetWithEngine[]): readonly Problem[] {
  const { setup = {}, teardown = {} } = experiment;
  const tables = Object.keys(allTables(experiment));
  const found = new Map<string, Problem>();
  for (const name of Object.keys(setup))
    if (tables.includes(name))
      found.set(name, {
        path: ['setup', name],
        at: 'key',
        message: `A table is called \`${name}\`, too.`,
        suggestion: `Texts write {${name}} for either: give the statement of setup another name.`,
      });
  for (const { target, engine } of targets) {
    if (engine.reference || !engine.setup) continue;
    const choice = { target: target.name, engine: engine.id };
    for (const { name, text } of setupTexts(experiment, choice)) {
      const form = setupFormOf(engine, text, name);
      const path = ['setup', name, ...keyFor(setup[name]!, choice)];
      if ('why' in form)
        found.set(JSON.stringify([path, form.why]), {
          path,
          message: `\`${name}\` is no statement of setup on ${engine.label}.`,
          suggestion: form.why,
        });
    }
    for (const { name, text } of teardownTexts(experiment, choice)) {
      const why = notTeardownText(engine, text, Object.keys(setup));
      const path = ['teardown', name, ...keyFor(teardown[name]!, choice)];
      if (why !== null)
        found.set(JSON.stringify([path, why]), {
          path,
          message: `\`${name}\` is no statement of teardown on ${engine.label}.`,
          suggestion: why,
        });
    }
  }
  return [...found.values()];
}

/**
 * The reason why a target cannot run the statements of `setup` and `teardown`, as a sentence; null: it can, or there
 * are none.
 */
export function noSetupText(experiment: Experiment, engine: EngineDescriptor, target: string): string | null {
  const names = Object.keys(experiment.setup ?? {});
  // The reference engine keeps nothing, and statements on it name no objects.
  if (engine.reference) return null;
  const choice = { target, engine: engine.id };
  if (names.length === 0 && teardownTexts(experiment, choice).length === 0) return null;
  if (names.length > 0 && setupTexts(experiment, choice).length === 0)
    return `No statement of \`setup\` has a text for ${engine.label} (setup.${names[0]}.${engine.id}).`;
  return engine.setup ? null : (engine.unsupportedReasons.setup ?? `${engine.label} has no statements of setup.`);
}
