import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { cellOf } from '#engine-api/support/support-of.ts';
import type { Support } from '#engine-api/support.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { formatCount } from '#model/format/format.ts';
import type { Settings } from '#model/settings/settings.ts';
import { hasArrivals, isPlainLoop, loadModel } from '#model/statements/load-model.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { Variant } from '#protocol/plan.ts';

/** The reason why a variant's load is inconsistent, with a suggestion; null where it is consistent. */
export function noLoadText(
  settings: Settings,
  { pipelines, batches }: Pick<Support, 'pipelines' | 'batches'>,
): string | null {
  const model = loadModel(settings);
  if ((pipelines || batches) && !isPlainLoop(model))
    return `${settings.method} keeps several calls in flight on a connection by itself; a load has one at a time. Take another method, or load: closed without users and thinkMs.`;
  switch (model.kind) {
    case 'closed':
      return model.users < model.connections
        ? `${model.users} users leave some of ${model.connections} connections without work. Give as many users as connections, or more.`
        : null;
    case 'open':
      if (model.arrivalsPerSecond === 0) return 'Open load needs a rate: set arrivalsPerSecond.';
      return settings.thinkMs > 0
        ? 'In open load arrivals do not wait for an answer, so there is no think time. Remove thinkMs, or use load: closed, or partlyOpen with unitsPerSession.'
        : null;
    case 'partlyOpen':
      if (model.arrivalsPerSecond === 0) return 'Partly open load needs a rate of sessions: set arrivalsPerSecond.';
      return model.sessionLength === 'constant' && !Number.isInteger(model.unitsPerSession)
        ? `A session of constant length has no ${model.unitsPerSession} units. Take a whole number, or sessionLength: geometric.`
        : null;
  }
}

/** The reason why the load of a variant cannot change between stages; null where it can. */
export function noStagesText(engine: EngineDescriptor, settings: Settings): string | null {
  const cell = cellOf(engine, settings);
  return cell?.pipelines || cell?.batches
    ? `${settings.method} keeps its connections full by itself; stages need a method with one call at a time.`
    : null;
}

/**
 * Errors of the load that concern every variant: arrivals until the last row, more rows than there are, and weights of
 * items that are not drawn.
 */
export function* loadProblems(experiment: Experiment, variants: readonly Variant[]): Iterable<Problem> {
  yield* untilProblems(experiment, variants);
  yield* weightProblems(experiment);
}

function untilProblems({ measure, dataset }: Experiment, variants: readonly Variant[]): readonly Problem[] {
  const rows = measure.until?.rows;
  const used = variants.find(({ settings }) => ['delete', 'copy'].includes(settings.operation));
  if (used && typeof rows === 'number' && rows > dataset.rows)
    return [
      {
        path: ['measure', 'until', 'rows'],
        message: `There are ${formatCount(dataset.rows)} rows to ${used.settings.operation}, not ${formatCount(rows)}.`,
        suggestion: 'Write rows: all, or raise dataset.rows.',
      },
    ];
  return rows !== undefined && variants.some(({ settings }) => hasArrivals(settings))
    ? [
        {
          path: ['measure', 'until', 'rows'],
          at: 'key',
          message: 'Arrivals go on for a time; they do not end with the last row.',
          suggestion: 'Write until: { seconds: 5 }, or use load: closed.',
        },
      ]
    : [];
}

function* weightProblems(experiment: Experiment): Iterable<Problem> {
  const own = weightsOf(experiment);
  for (const [i, { weights = {} }] of (experiment.measure.stages ?? []).entries()) {
    const path = ['measure', 'stages', i, 'weights'];
    for (const name of Object.keys(weights))
      if (!own.has(name))
        yield {
          path: [...path, name],
          at: 'key',
          message: `\`${name}\` is no statement or transaction that is drawn by a weight.`,
          suggestion:
            didYouMean(name, [...own.keys()]) ?? 'Give it a weight of its own under statements or transactions.',
        };
    if (own.size > 0 && ![...own].some(([name, weight]) => (weights[name] ?? weight) > 0))
      yield {
        path,
        message: 'With these weights nothing is left to draw.',
        suggestion: 'Give one of them a weight above 0, or let the load go to: 0.',
      };
  }
}
