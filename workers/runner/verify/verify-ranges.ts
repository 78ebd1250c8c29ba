import type { Database, RangeFilter } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import type { Dataset, TablePlan } from '#model/dataset/dataset.ts';
import { rangeColumnOf } from '#model/dataset/named-columns.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { RangeCheck } from '#protocol/messages.ts';
import { createGenerator, type Generator } from '../generator/generator.ts';
import { createRanges } from '../workload/ranges.ts';
import { createChecksumSum } from './checksum.ts';

/** The beginnings of the ranges, as parts (0…1) of the possible beginnings. */
const parts = [0, 0.2, 0.5, 0.8, 1];
const rowsPerBlock = 4_096;

/** Checks, outside of any measurement, that ranges hold their rows. Rows 0 … rows − 1 are in the table. */
export async function verifyRanges(
  descriptor: EngineDescriptor,
  database: Database,
  table: TablePlan,
  dataset: Dataset,
  settings: Settings,
  rows: number,
  signal: AbortSignal,
): Promise<RangeCheck> {
  const generator = createGenerator(dataset, settings);
  const wanted = rangeColumnOf(table, settings);
  if (!wanted) return { ranges: 0, rows: 0, wrong: null };
  const { name } = wanted.column;
  const ranges = createRanges(dataset, generator, name, rows, settings.rangeRows);
  const checked = parts.map((part) => ranges.at(part));
  const truth = await expectedOf(generator, descriptor, table, name, rows, checked, signal);
  const filters = checked.map(
    ({ low, high }): RangeFilter => ({
      column: wanted.index,
      bounds: generator.ranges(name, Float64Array.of(low), Float64Array.of(high)),
    }),
  );
  const { operation, method } = settings;
  await using session = await database.openSession(table.options);
  const read = await session.prepare({ table, operation: 'readRange', method, settings });
  let found = 0;
  for (const [i, filter] of filters.entries()) {
    signal.throwIfAborted();
    const expected = truth[i]!;
    const returned = await read.run(read.encode(filter.bounds));
    const { low, high } = checked[i]!;
    const what = `${operation} of ${name} from ${low} to below ${high}`;
    found += returned;
    if (returned !== expected.rows)
      return { ranges: i + 1, rows: found, wrong: `${what} returns ${returned} rows instead of ${expected.rows}.` };
    const held = await database.checksum(table, filter);
    const difference = held && differenceOf(held, expected, tableColumns(dataset));
    if (difference) return { ranges: i + 1, rows: found, wrong: `${what}: ${difference}` };
  }
  return { ranges: filters.length, rows: found, wrong: null };
}

/** The checksums of the rows in each range, from all rows as the generator makes them again. */
async function expectedOf(
  generator: Generator,
  { emptyIsNull }: EngineDescriptor,
  table: TablePlan,
  column: string,
  rows: number,
  ranges: readonly { readonly low: number; readonly high: number }[],
  signal: AbortSignal,
): Promise<readonly TableChecksum[]> {
  const types = table.columns.map(({ type }) => type);
  const sums = ranges.map(() => createChecksumSum(types, emptyIsNull));
  for (let start = 0; start < rows; start += rowsPerBlock) {
    const rowNumbers = Float64Array.from({ length: Math.min(rowsPerBlock, rows - start) }, (_, r) => start + r);
    const { values, nulls } = generator.numbers(column, rowNumbers);
    for (const [i, { low, high }] of ranges.entries()) {
      const inside = rowNumbers.filter((_, r) => nulls?.[r] !== 1 && values[r]! >= low && values[r]! < high);
      if (inside.length > 0) sums[i]!.add(generator.pick(inside));
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return sums.map((sum) => sum.total());
}

function differenceOf(
  found: TableChecksum,
  expected: TableChecksum,
  columns: readonly { readonly name: string }[],
): string | null {
  if (found.rows !== expected.rows) return `the server counts ${found.rows} rows instead of ${expected.rows}.`;
  const wrong = columns.filter((_, c) => {
    const [one, other] = [found.columns[c] ?? null, expected.columns[c] ?? null];
    return one !== null && other !== null && one !== other;
  });
  return wrong.length === 0 ? null : `the checksum of ${wrong.map(({ name }) => name).join(', ')} differs.`;
}
