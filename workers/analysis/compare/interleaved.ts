import type { TargetSpec } from '#experiment/schema/experiment.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { writtenOut } from '#experiment/yaml/written-out.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { Path } from '#model/text/path-text.ts';
import { repeatsOf } from '#planning/repeats.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** With fewer repeats, an interval rests on Welch's t alone (stats/compare-means.ts). */
const leastRepeats = 5;

/** An experiment that compares two versions in a single run. */
interface Interleaved {
  readonly text: string;
  /** True if the experiment has both versions. Otherwise the user adds the other version to its targets. */
  readonly isComplete: boolean;
}

type Compared = Pick<RunModel, 'yaml' | 'plan'>;

/**
 * The later run's experiment as one that compares two versions in a single run: its rounds alternate between its
 * targets, to which those of the run before are added where they are others. Throws DynoError('badInput') where the
 * text is not that of the run any more.
 */
export function interleaved(before: Compared, { yaml, plan }: Compared): Interleaved {
  const targets = plan.experiment.targets;
  const others = otherTargets(before.plan.experiment.targets, targets);
  const [first] = [...others, ...targets];
  const { max, relativeMargin } = repeatsOf(plan.measure);
  const isComplete = others.length > 0;
  const edits: readonly (readonly [Path, unknown])[] = [
    [['name'], `${plan.experiment.name}: two versions in turn`],
    [['question'], 'What did the change bring, measured in turn with what was before?'],
    [
      ['about'],
      `Made from a run of “${plan.experiment.name}”. ${isComplete ? 'Its targets are those of two runs' : 'Add the other version as a second target'}: rounds alternate between them, so that drift of the machine meets both alike.`,
    ],
    ...(isComplete ? [[['targets'], [...others, ...targets]] as const] : []),
    ...(first === undefined ? [] : [[['baseline'], { target: nameOf(first) }] as const]),
    [['measure', 'order'], 'interleaved'],
    ...(relativeMargin === null && max < leastRepeats ? [[['measure', 'repeats'], leastRepeats] as const] : []),
  ];
  const file = edits.reduce((edited, [path, value]) => setIn(edited, path, value), writtenOut(readYaml(yaml)));
  return { text: file.text, isComplete };
}

type Target = string | TargetSpec;

const nameOf = (target: Target): string => (typeof target === 'string' ? target : target.name);

/** The targets of the run before that are other servers, under other names than the later run's. */
function otherTargets(before: readonly Target[], after: readonly Target[]): readonly Target[] {
  const known = new Set(after.map((one) => JSON.stringify(one)));
  const names = new Set(after.map(nameOf));
  return before
    .filter((one) => !known.has(JSON.stringify(one)))
    .flatMap((one) => {
      if (!names.has(nameOf(one))) return [one];
      // A name alone is that of a connection, which has no other.
      return typeof one === 'string' ? [] : [{ ...one, name: `${one.name} before` }];
    });
}
