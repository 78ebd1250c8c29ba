import { type Mapping, placesIn, valueAt, withChange } from '#experiment/schema/changes.ts';
import { type Experiment, usualRepeats } from '#experiment/schema/experiment.ts';
import { changesOfLevels } from '#experiment/schema/levels.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { writtenOut } from '#experiment/yaml/written-out.ts';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import { isMapping } from '#model/is-mapping.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { Path } from '#model/text/path-text.ts';
import { leastForVerdict } from '#planning/repeats.ts';
import { variantOf } from '#planning/variant-of.ts';
import type { Plan, Variant } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { specOf } from '#rules/targets/target-fields.ts';
import { type Difference, differencesOf, isEqual, partAt, partKey } from './differences.ts';

/** The factor of an experiment that explains a gap, and its levels of the two variants. */
const factor = 'changed';
const [nothing, everything] = ['nothing', 'everything'] as const;

/** The most differences that are changed one at a time; of more, several are changed together. */
const mostSteps = 8;
/** The longest name of a level is 120 characters. */
const longestName = 90;

/** Two variants of an experiment on one target. */
export interface AskedGap {
  /** Id of the variant from which the differences are changed. */
  readonly from: string;
  /** Id of the variant with all of them. */
  readonly to: string;
  readonly target: string;
}

/** The experiment that explains a gap. */
export interface GapFile {
  readonly differences: readonly Difference[];
  /** The file; null: there is nothing to measure, and `problem` says why. */
  readonly source: YamlSource | null;
  readonly problem: string | null;
  /** The variants that no file can have, with the reason of the check. */
  readonly impossible: readonly { readonly level: string; readonly why: string }[];
}

/** A variant of the file: the differences that it has. */
interface Step {
  readonly level: string;
  readonly changed: ReadonlySet<Difference>;
}

/**
 * The experiment whose variants are the steps from one variant to another: each difference alone on top of the first,
 * and each taken back from the second. More than eight differences are changed in eight groups: the variants of a group
 * that explains the gap can be compared again, until a single difference is left. `source`: the file of the plan.
 */
export function gapFile(source: YamlSource, plan: Plan, { from, to, target }: AskedGap): GapFile {
  const sides = [variantOf(plan, from), variantOf(plan, to)] as const;
  const [first, last] = sides;
  if (first === undefined || last === undefined) throw new Error('the plan has both variants');
  const parts = new Parts(plan, first, last);
  const { differences } = parts;
  const none = (problem: string): GapFile => ({ differences, source: null, problem, impossible: [] });
  for (const { id, label } of [first, last]) {
    const skipped = plan.skipped.find((one) => one.variant === id && one.target === target);
    if (skipped && skipped.sameAs === undefined) return none(`“${label}” does not run on ${target}: ${skipped.reason}`);
  }
  const [only, ...others] = differences;
  if (only === undefined) return none('The two variants differ in no setting and in no part of the file.');
  if (others.length === 0) return none(`The two variants have one difference, which explains their gap: ${only.name}.`);
  const steps = stepsBetween(differences);
  const made = (some: readonly Step[]) => fileOf(source, plan, { from: first, to: last, target }, parts, some);
  if (parseFile(made(steps)).experiment !== null)
    return { differences, source: made(steps), problem: null, impossible: [] };
  const [start, end] = [steps[0]!, steps.at(-1)!];
  const judged = steps.map((step) => ({ step, why: whyNot(made(step === end ? [start, end] : [start, step, end])) }));
  const possible = judged.flatMap(({ step, why }) => (why === null ? [step] : []));
  const why = judged.at(-1)!.why ?? whyNot(made(possible));
  if (why !== null) return none(why);
  return {
    ...{ differences, source: made(possible), problem: null },
    impossible: judged.flatMap((one) => (one.why === null ? [] : [{ level: one.step.level, why: one.why }])),
  };
}

/** The first error of a file; null: it has none. */
const whyNot = (file: YamlSource): string | null =>
  parseFile(file).diagnostics.find(({ severity }) => severity === 'error')?.message ?? null;

/** The steps between two variants, with both. */
function stepsBetween(differences: readonly Difference[]): readonly Step[] {
  const size = Math.ceil(differences.length / mostSteps);
  const groups = Array.from({ length: Math.ceil(differences.length / size) }, (_, i) =>
    differences.slice(i * size, (i + 1) * size),
  );
  const without = (group: readonly Difference[]) => new Set(differences.filter((one) => !group.includes(one)));
  const names = uniqueNames(groups.map(groupName));
  return [
    { level: nothing, changed: new Set() },
    ...groups.map((group, i) => ({ level: `only ${names[i]}`, changed: new Set(group) })),
    // One of two differences taken back is the other one alone.
    ...(groups.length === 2
      ? []
      : groups.map((group, i) => ({ level: `all but ${names[i]}`, changed: without(group) }))),
    { level: everything, changed: new Set(differences) },
  ];
}

/** "Connections: 8", "Connections: 8 and 2 more". */
function groupName([first, ...more]: readonly Difference[]): string {
  const name = (first?.name ?? '').replaceAll(/\s+/g, ' ');
  const short = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
  return more.length === 0 ? short : `${short} and ${more.length} more`;
}

const uniqueNames = (names: readonly string[]): readonly string[] =>
  names.map((name, i) => (names.indexOf(name) === i ? name : `${name} (${i + 1})`));

/** The settings and the parts of the file that the levels of two variants set. */
class Parts {
  readonly differences: readonly Difference[];
  readonly #changes: readonly [from: Mapping, to: Mapping];
  /** The parts that the levels of both variants set alike. */
  readonly #common: readonly (readonly [Path, unknown])[];

  constructor(plan: Plan, from: Variant, to: Variant) {
    this.#changes = [changeOf(plan.experiment, from), changeOf(plan.experiment, to)];
    const set = new Map(
      this.#changes.flatMap((change) => placesIn(change).map((path) => [partKey(partAt(path)), partAt(path)] as const)),
    );
    // A part can differ because another one does: a column refers to a table that has other rows.
    this.differences = differencesOf(plan, from, to).filter(
      ({ path }) => path[0] === 'workload' || set.has(partKey(path)),
    );
    const differing = new Set(this.differences.map(({ path }) => partKey(path)));
    this.#common = [...set]
      .filter(([key]) => !differing.has(key))
      .map(([, path]) => [path, valueAt(this.#changes[0], path) ?? valueAt(this.#changes[1], path)]);
  }

  /** The content of the level with these differences. */
  level(changed: ReadonlySet<Difference>): Mapping {
    const values = this.differences.flatMap((one): readonly (readonly [Path, unknown])[] => {
      const isChanged = changed.has(one);
      if (one.path[0] !== 'workload') return [[one.path, valueAt(this.#changes[isChanged ? 1 : 0], one.path)]];
      const own = isChanged ? one.to : one.from;
      const path = one.path.slice(1);
      return isEqual(own, usual(path)) ? [] : [[path, own]];
    });
    return [...this.#common, ...values].reduce<Mapping>(
      (level, [path, value]) => (value === undefined ? level : withChange(level, nested(path, value))),
      {},
    );
  }
}

/** The change that the levels of a variant make to sections of the file. */
const changeOf = (experiment: Experiment, { levels }: Variant): Mapping =>
  changesOfLevels(experiment)
    .filter(({ factor, level }) => levels[factor] === level)
    .reduce<Mapping>((made, { change }) => withChange(made, change), {});

const nested = (path: Path, value: unknown): Mapping =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Mapping;

/** Parts of a file that belong to its other runs. */
const left = ['about', 'goals', 'prices'] as const;

function fileOf(
  given: YamlSource,
  { experiment }: Plan,
  { from, to, target }: { readonly from: Variant; readonly to: Variant; readonly target: string },
  parts: Parts,
  steps: readonly Step[],
): YamlSource {
  const source = writtenOut(given);
  const has = (key: string) => isMapping(source.value) && Object.hasOwn(source.value, key);
  const spec = specOf(experiment, target);
  const edits: readonly (readonly [Path, unknown])[] = [
    [['name'], `Gap: ${experiment.name}`.slice(0, 120)],
    [['question'], `What explains the gap between “${from.label}” and “${to.label}”?`.slice(0, 1_000)],
    ...left.filter(has).map((key) => [[key], undefined] as const),
    ...workloadEdits(experiment, from, to),
    [['factors'], { [factor]: Object.fromEntries(steps.map(({ level, changed }) => [level, parts.level(changed)])) }],
    [['targets'], [spec]],
    [['baseline'], { [factor]: nothing }],
    [['explain'], { [factor]: everything }],
    [['compare'], 'levels'],
    ...(experiment.measure.search ? [[['measure', 'search'], undefined] as const] : []),
    [['measure', 'repeats'], repeatsOf(experiment.measure)],
    [['measure', 'order'], 'interleaved'],
  ];
  return edits.reduce((made, [path, value]) => setIn(made, path, value), source);
}

/** A precision decides the number of repeats, within the bounds of the file. */
const repeatsOf = ({ until, repeats }: Experiment['measure']): Experiment['measure']['repeats'] =>
  until?.precision === undefined
    ? Math.max(leastForVerdict, typeof repeats === 'number' ? repeats : usualRepeats)
    : repeats;

/** The changes of the workload: the settings that both variants have, without those that the new levels set. */
function workloadEdits(
  { workload }: Experiment,
  { settings: from }: Variant,
  { settings: to }: Variant,
): readonly (readonly [Path, unknown])[] {
  const flat = ({ options, ...own }: Variant['settings']): readonly Path[] => [
    ...Object.keys(own).map((name) => [name]),
    ...Object.keys(options).map((name) => ['options', name]),
  ];
  const paths = new Map([...flat(from), ...flat(to)].map((path) => [partKey(path), path]));
  return [...paths.values()].flatMap((path) => {
    const [before, written] = [valueAt(from, path), valueAt(workload, path)];
    const own = isEqual(before, valueAt(to, path)) ? before : undefined;
    const isWritten = written === undefined ? isEqual(own ?? usual(path), usual(path)) : isEqual(own, written);
    return isWritten ? [] : [[['workload', ...path], own] as const];
  });
}

const usual = (path: Path): unknown => valueAt(defaultSettings, path);
