import type { Experiment } from '#experiment/schema/experiment.ts';
import { loadNouns } from '#experiment/schema/search.ts';
import { sentence } from '#model/format/sentence.ts';
import type { Settings } from '#model/settings/settings.ts';
import { isPlainLoop, loadModel } from '#model/statements/load-model.ts';
import { havePauses } from '#model/statements/steps.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import type { Variant } from '#protocol/plan.ts';

type Searched = Pick<Experiment, 'measure' | 'scenarios'>;

/** The reason why a variant's load cannot be searched; null where it can, and where the experiment searches none. */
export function noSearchText({ measure: { search }, scenarios }: Searched, settings: Settings): string | null {
  if (!search) return null;
  const model = loadModel(settings);
  if (search.setting === 'arrivalsPerSecond')
    return model.kind === 'closed'
      ? 'measure.search: in a closed load nothing arrives. Write load: open (or partlyOpen) in the workload, or search users.'
      : null;
  if (model.kind !== 'closed')
    return `measure.search: where work arrives at a rate, that is the load to raise, not ${loadNouns(search)}. Write setting: arrivalsPerSecond, or load: closed.`;
  if (search.find === 'knee' && (search.setting !== 'connections' || !isPlainLoop(model) || havePauses(scenarios)))
    return 'measure.search: the law behind the knee is about users in a closed loop, one a connection. Write setting: connections, without users and thinkMs, in scenarios, too; or find: saturation.';
  return null;
}

/** Problems of a search without any variant that it applies to. */
export function searchProblems(experiment: Searched, variants: readonly Variant[]): readonly Problem[] {
  const reasons = variants.map(({ settings }) => noSearchText(experiment, settings));
  const [first = null] = reasons;
  if (first === null || reasons.includes(null)) return [];
  const [message = '', ...rest] = first.replace('measure.search: ', '').split('. ');
  return [
    {
      path: ['measure', 'search', 'setting'],
      message: `${sentence(message)}.`,
      suggestion: rest.join('. '),
    },
  ];
}
