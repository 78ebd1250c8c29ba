import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import { noIsolationText } from '#engine-api/support/isolation.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { Variant } from '#protocol/plan.ts';
import { unmetNeeds, unreadableText } from './cell-support.ts';

interface NamedTarget {
  readonly target: { readonly name: string };
  readonly engine: EngineDescriptor;
}

/** The other target that rows are copied from; null: there is none. */
export const copySource = (variant: { readonly settings: Settings } | undefined): string | null =>
  variant?.settings.operation === 'copy' && variant.settings.copyFrom ? variant.settings.copyFrom : null;

/** Targets that rows are to be copied from, but that the experiment does not have. */
export const sourceProblems = (variants: readonly Variant[], targets: readonly NamedTarget[]): readonly Problem[] => {
  const names = targets.map(({ target }) => target.name);
  const wanted = new Set(variants.flatMap((variant) => copySource(variant) ?? []));
  return [...wanted]
    .filter((name) => !names.includes(name))
    .map((name) => ({
      path: ['targets'],
      message: `copyFrom: there is no target \`${name}\`.`,
      suggestion: didYouMean(name, names) ?? `Targets: ${names.join(', ')}.`,
    }));
};

/**
 * The reason why the rows of a variant cannot be read from their source; null where they can, or the target itself is
 * the source.
 */
export function noSourceText(
  settings: Settings,
  targets: readonly NamedTarget[],
  { columns }: Experiment['dataset'],
): string | null {
  const name = copySource({ settings });
  // sourceProblems reports a missing source.
  const source = targets.find(({ target }) => target.name === name)?.engine;
  if (!source) return null;
  const reading = Object.values(source.support.copy ?? {})[0];
  if (!reading) return `Rows cannot be copied from ${source.label}. ${source.unsupportedReasons.copy ?? ''}`.trim();
  const needed = unmetNeeds(source, reading, optionsFor(source, settings));
  if (needed.length > 0) return `Reading rows from ${source.label} needs ${needed.join(' and ')}.`;
  return noIsolationText(source, settings.isolation) ?? unreadableText(source, settings, { columns });
}
