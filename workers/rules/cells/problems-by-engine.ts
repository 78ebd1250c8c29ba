import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { valuesFor } from '#experiment/schema/by-engine.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import { didYouMean } from '#model/text/nearest-word.ts';

/** A section of the file that has values by engine, and what Dyno refuses in it. */
interface Section {
  readonly key: 'session' | 'server';
  /** The reason why a value is refused, as a sentence; null: the server judges it. */
  readonly problemOf: (engine: EngineDescriptor, name: string, value: string) => string | null;
  /** The place where a refused value is not set: "in sessions of PostgreSQL". */
  readonly placeText: (engine: EngineDescriptor) => string;
}

/** Values for engines that do not exist, and values that are refused, with their paths. */
export function* problemsByEngine(
  { key, problemOf, placeText }: Section,
  experiment: Experiment,
  catalog: readonly EngineDescriptor[],
): Generator<Problem, void> {
  for (const id of Object.keys(experiment[key] ?? {})) {
    const engine = catalog.find((one) => one.id === id);
    if (!engine) {
      yield unknownEngine(key, id, catalog);
      continue;
    }
    for (const [name, value] of Object.entries(valuesFor(experiment[key], id))) {
      const why = problemOf(engine, name, value);
      if (why !== null)
        yield {
          path: [key, id, name],
          at: 'key',
          message: `\`${name}\` is not set ${placeText(engine)}.`,
          suggestion: why,
        };
    }
  }
}

function unknownEngine(section: string, id: string, catalog: readonly EngineDescriptor[]): Problem {
  const ids = catalog.map((one) => one.id);
  return {
    path: [section, id],
    at: 'key',
    message: `There is no engine \`${id}\`.`,
    suggestion: didYouMean(id, ids) ?? `There are: \`${ids.join('`, `')}\`.`,
  };
}
