import type { TargetSpec } from '#experiment/schema/experiment.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { writtenOut } from '#experiment/yaml/written-out.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { Path } from '#model/text/path-text.ts';
import { leastForVerdict, repeatsOf } from '#planning/repeats.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** An experiment that compares two versions in a single run. */
interface Interleaved {
  readonly text: string;
  /** True if the experiment has both versions. Otherwise the user adds the other version to its targets. */
  readonly isComplete: boolean;
}

type Compared = Pick<RunModel, 'yaml' | 'plan'>;

/**
 * The later run's experiment, changed to compare two versions in a single run. Its rounds alternate between its targets
 * and the different targets of the run before, which are added. Throws DynoError('badInput') if the text no longer
 * matches the run.
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
    ...(relativeMargin === null && max < leastForVerdict ? [[['measure', 'repeats'], leastForVerdict] as const] : []),
  ];
  const file = edits.reduce((edited, [path, value]) => setIn(edited, path, value), writtenOut(readYaml(yaml)));
  return { text: file.text, isComplete };
}

type Target = string | TargetSpec;

const nameOf = (target: Target): string => (typeof target === 'string' ? target : target.name);

/**
 * Returns the targets of the earlier run that the later run does not have. A target is renamed if the later run has
 * another server under its name.
 */
function otherTargets(before: readonly Target[], after: readonly Target[]): readonly Target[] {
  const known = new Set(after.map((one) => JSON.stringify(one)));
  const names = new Set(after.map(nameOf));
  return before
    .filter((one) => !known.has(JSON.stringify(one)))
    .flatMap((one) => {
      if (!names.has(nameOf(one))) return [one];
      // An entry that is only a name refers to a connection, which is stored elsewhere.
      return typeof one === 'string' ? [] : [{ ...one, name: `${one.name} before` }];
    });
}
