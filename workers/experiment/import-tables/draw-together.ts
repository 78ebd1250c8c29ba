import type { JointStatistics, TableFacts } from '#engine-api/table-facts.ts';
import { type ColumnTwin, roundShare } from './column-twin.ts';

type Mapping = Readonly<Record<string, unknown>>;
type Combination = JointStatistics['common'][number];

/** Shares below it are errors of rounding. */
const leastShare = 1e-6;

/**
 * The columns of a table with the statistics of several columns together: each column belongs to one group at most, the
 * largest group first. `columns`: the columns by their names at the server. Returns the columns that differ.
 */
export function drawTogether(
  { joint, columns: facts }: TableFacts,
  columns: ReadonlyMap<string, ColumnTwin>,
): ReadonlyMap<string, Mapping> {
  const made = new Map<string, Mapping>();
  const groups = joint
    .map((one) => ({ ...one, drawn: one.columns.filter((name) => columns.get(name)?.spec.type === 'frequencies') }))
    .filter(({ drawn }) => drawn.length > 1)
    .toSorted((a, b) => b.drawn.length - a.drawn.length);
  let number = 0;
  for (const { drawn, ...one } of groups) {
    if (drawn.some((name) => made.has(name))) continue;
    const together = degreeOf(one, drawn);
    const nulls = new Map(facts.map(({ name, statistics }) => [name, statistics?.nullShare ?? 0]));
    const common = convertedOf(one, drawn, columns, 1 - Math.max(...drawn.map((name) => nulls.get(name) ?? 0)));
    if (common.length === 0 && together === 0) continue;
    number++;
    for (const [place, name] of drawn.entries())
      made.set(name, {
        ...withCommon(columns.get(name)!.spec, common, place),
        row: `group ${number}`,
        ...(together > 0 && { together }),
      });
  }
  return made;
}

/** The combinations without nulls, in the columns' own values; the shares are of the rows that are not null. */
function convertedOf(
  { columns: all, common }: JointStatistics,
  drawn: readonly string[],
  twins: ReadonlyMap<string, ColumnTwin>,
  present: number,
): readonly { readonly values: readonly (string | number)[]; readonly share: number }[] {
  const sums = new Map<string, { readonly values: readonly (string | number)[]; share: number }>();
  for (const { values, share } of common) {
    const own = drawn.map((name) => {
      const value: Combination['values'][number] = values[all.indexOf(name)] ?? null;
      return value === null ? undefined : twins.get(name)!.valueOf(value);
    });
    if (own.includes(undefined)) continue;
    const whole = own as readonly (string | number)[];
    const key = JSON.stringify(whole);
    const found = sums.get(key) ?? { values: whole, share: 0 };
    found.share += share / Math.max(present, Number.EPSILON);
    sums.set(key, found);
  }
  return [...sums.values()].map(({ values, share }) => ({ values, share: roundShare(Math.min(1, share)) }));
}

/** Behind the combinations, each column lists the remaining shares of its own values. */
function withCommon(
  { rowOrder: _, values, shares, ...spec }: Mapping,
  common: ReturnType<typeof convertedOf>,
  place: number,
): Mapping {
  const rest = new Map<string | number, number>();
  const own = Array.isArray(values) ? (values as readonly (string | number)[]) : [];
  for (const [i, value] of own.entries())
    rest.set(value, (rest.get(value) ?? 0) + Number((shares as readonly number[])[i]));
  for (const { values: combined, share } of common) {
    const value = combined[place]!;
    if (rest.has(value)) rest.set(value, rest.get(value)! - share);
  }
  const alone = [...rest].filter(([, share]) => share > leastShare);
  const list = [
    ...common.map(({ values: combined, share }) => [combined[place]!, share] as const),
    ...alone.map(([value, share]) => [value, roundShare(share)] as const),
  ];
  return {
    ...spec,
    ...(list.length > 0 && { values: list.map(([value]) => value), shares: list.map(([, share]) => share) }),
    jointly: common.length,
  };
}

/** The mean share of rows in which one of the columns determines another one. */
function degreeOf({ dependencies }: JointStatistics, drawn: readonly string[]): number {
  const among = dependencies.filter(
    ({ from, to }) => from.length === 1 && drawn.includes(from[0]!) && drawn.includes(to),
  );
  if (among.length === 0) return 0;
  const mean = among.reduce((sum, { degree }) => sum + degree, 0) / among.length;
  return Number(Math.min(1, Math.max(0, mean)).toFixed(3));
}
