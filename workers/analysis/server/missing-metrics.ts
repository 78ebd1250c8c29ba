import { isReference } from '#planning/rates/contenders.ts';
import type { RunModel } from '../run-model/run-model.ts';

interface MissingMetrics {
  readonly target: string;
  /** The figures that the server left out, and the remedies; a sentence each. */
  readonly sentences: readonly string[];
}

/** Servers that would have told more, with other rights or set up otherwise: in their probes, and of their settings. */
export function missingMetrics(model: Pick<RunModel, 'targets' | 'trials'>): readonly MissingMetrics[] {
  return model.targets.flatMap(({ name, fingerprint }) => {
    const views = model.trials.filter(({ trial }) => trial.target === name);
    if (views.length === 0 || isReference(model, name)) return [];
    const all = [...(fingerprint?.unavailable ?? []), ...views.flatMap(({ series }) => series.missing)];
    const sentences = [...new Set(all.map((one) => (/[.!?]$/.test(one) ? one : `${one}.`)))];
    return sentences.length === 0 ? [] : [{ target: name, sentences }];
  });
}
