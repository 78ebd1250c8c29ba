import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { writtenOut } from '#experiment/yaml/written-out.ts';
import type { Path } from '#model/text/path-text.ts';
import { repeatsOf } from '#planning/repeats.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** With fewer repeats an interval rests on Welch's t alone (stats/compare-means.ts). */
const leastRepeats = 5;

/**
 * The run's experiment as the beginning of one that compares two versions in a single run: its rounds alternate between
 * its targets, to which the other version has yet to be added. Throws DynoError('badInput') where the text is not that
 * of the run any more.
 */
export function interleavedText({ yaml, plan }: Pick<RunModel, 'yaml' | 'plan'>): string {
  const [target] = plan.targets;
  const { max, relativeMargin } = repeatsOf(plan.measure);
  const name = `${plan.experiment.name}: two versions in turn`;
  const edits: readonly (readonly [Path, unknown])[] = [
    [['name'], name],
    [['question'], 'What did the change bring, measured in turn with what was before?'],
    [
      ['about'],
      `Made from a run of “${plan.experiment.name}”. Add the other version as a second target: rounds alternate between them, so that drift of the machine meets both alike.`,
    ],
    ...(target === undefined ? [] : [[['baseline'], { target: target.name }] as const]),
    [['measure', 'order'], 'interleaved'],
    ...(relativeMargin === null && max < leastRepeats ? [[['measure', 'repeats'], leastRepeats] as const] : []),
  ];
  return edits.reduce((text, [path, value]) => setIn(text, path, value), writtenOut(yaml));
}
