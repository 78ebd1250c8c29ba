import { levelSections } from '#experiment/schema/experiment.ts';
import { experimentOf } from '#experiment/schema/levels.ts';
import { isMapping } from '#model/is-mapping.ts';
import { canonicalJson } from '#model/text/json-text.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';
import { formatLevels } from '#planning/variant-of.ts';
import type { Plan, Variant } from '#protocol/plan.ts';

/** A setting, or a part of the file, in which two variants differ. */
export interface Difference {
  /** The path in a file without factors: "workload.method", "tables.sales.indexes". */
  readonly path: Path;
  /** The difference as a name: "Connections: 8", "statements.search". */
  readonly name: string;
  /** The values of the two variants; undefined: the variant has none. */
  readonly from: unknown;
  readonly to: unknown;
}

/** The number of steps of a path that name a part of a section; parts change as a whole. */
const stepsOf: Readonly<Record<string, number>> = { tables: 3, session: 3, server: 3 };
const usualSteps = 2;

/** The part of a section of the file that contains a path: the statement of its text, the table's list of indexes. */
export function partAt(path: Path): Path {
  const [section] = path;
  const steps = stepsOf[String(section)] ?? usualSteps;
  // Columns are replaced one by one.
  return path.slice(0, path[steps - 1] === 'columns' ? steps + 1 : steps);
}

interface Part {
  readonly path: Path;
  readonly value: unknown;
}

/** A path as a key of maps. */
export const partKey = (path: Path): string => JSON.stringify(path);

/** Every setting of a variant, with all defaults, and every part of the sections that levels may change. */
function partsOf({ experiment }: Pick<Plan, 'experiment'>, variant: Variant): ReadonlyMap<string, Part> {
  const { options, ...settings } = variant.settings;
  const own: Readonly<Record<string, unknown>> = experimentOf(experiment, variant.levels);
  const parts: readonly Part[] = [
    ...Object.entries(settings).map(([name, value]) => ({ path: ['workload', name], value })),
    ...Object.entries(options).map(([name, value]) => ({ path: ['workload', 'options', name], value })),
    ...levelSections.flatMap((section) => partsIn([section], own[section])),
  ];
  return new Map(parts.map((part) => [partKey(part.path), part]));
}

/** The parts at and below a path. */
function partsIn(path: Path, value: unknown): readonly Part[] {
  if (value === undefined) return [];
  const isAbove = partAt([...path, '']).length > path.length;
  return isAbove && isMapping(value)
    ? Object.entries(value).flatMap(([key, inner]) => partsIn([...path, key], inner))
    : [{ path, value }];
}

/** The settings after resolution, and the parts of the file, in which two variants of a plan differ. */
export function differencesOf(plan: Pick<Plan, 'experiment'>, from: Variant, to: Variant): readonly Difference[] {
  const [before, after] = [partsOf(plan, from), partsOf(plan, to)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    if (isEqual(old?.value, now?.value)) return [];
    const { path } = (now ?? old)!;
    return [{ path, name: nameOf(path, now?.value), from: old?.value, to: now?.value }];
  });
}

const textOf = (value: unknown): string => (value === undefined ? '' : canonicalJson(value));

/** True if two values of a setting or a part are the same, whatever the order of their keys. */
export const isEqual = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b);

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Sections with parameters of servers and sessions, whose names need no path. */
const ofEngines: ReadonlySet<unknown> = new Set(['session', 'server']);

function nameOf(path: Path, to: unknown): string {
  const [section] = path;
  const last = String(path.at(-1));
  if (section === 'workload' && isScalar(to)) return formatLevels({ [last]: to });
  if (to === undefined) return `without ${ofEngines.has(section) || section === 'workload' ? last : formatPath(path)}`;
  if (ofEngines.has(section) && isScalar(to)) return `${last}: ${to}`;
  return section === 'dataset' && isScalar(to) ? `${formatPath(path)}: ${to}` : formatPath(path);
}
