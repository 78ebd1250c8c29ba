import { isReference } from '#planning/rates/contenders.ts';
import type { RunModel } from '../run-model/run-model.ts';

interface MissingMetrics {
  readonly target: string;
  /** The figures missing from the server's reports, and the remedies, one sentence each. */
  readonly sentences: readonly string[];
}

/** Servers that would report more figures or settings with other privileges or another configuration. */
export function missingMetrics(model: Pick<RunModel, 'targets' | 'trials'>): readonly MissingMetrics[] {
  return model.targets.flatMap(({ name, fingerprint }) => {
    const views = model.trials.filter(({ trial }) => trial.target === name);
    if (views.length === 0 || isReference(model, name)) return [];
    const all = [...(fingerprint?.unavailable ?? []), ...views.flatMap(({ series }) => series.missing)];
    const sentences = [...new Set(all.map((one) => (/[.!?]$/.test(one) ? one : `${one}.`)))];
    return sentences.length === 0 ? [] : [{ target: name, sentences }];
  });
}
