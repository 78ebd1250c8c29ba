import { compareTwin, type TwinComparison } from '#analysis/twin/compare-twin.ts';
import { type ComparedTable, comparedTables, type TwinQuery, twinQueries } from '#analysis/twin/twin-queries.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { TwinWithValues } from '#experiment/import-tables/twin.ts';
import { withUuidOrder } from '#model/dataset/with-uuid-order.ts';
import { DynoError } from '#model/error.ts';
import { ensureHome } from '#platform/paths.ts';
import { type LoadedTables, plansOf } from '#protocol/messages.ts';
import type { Variant } from '#protocol/plan.ts';
import type { FiguresRequest, TableFigures } from '#protocol/table-figures.ts';
import {
  requireGenuine,
  requireTargetsConfirmed,
  type TrustedExperiment,
  type TrustedTarget,
} from '#workspace/trust/gate.ts';
import { type HeldTables, holdTables } from '../run/leftovers.ts';
import { runSetup, setupObjects } from '../trial/set-up.ts';
import { stagedTables } from '../trial/table-build.ts';
import { type Access, controlOf, leave, readsAlone, requirePasswordsOf } from '../try/own-control.ts';
import { dropTables, loadedOf, makeTables } from '../try/own-tables.ts';
import { refuseWrites } from '../try/try-once.ts';
import type { Control } from '../worker/control.ts';
import { catalogEntry } from '../worker/targets.ts';

interface CheckOptions extends Access {
  /** The target with the original tables. It is only read. */
  readonly original: TrustedTarget;
  /** The experiment with the tables of the twin, and one target, on which they are made. */
  readonly experiment: TrustedExperiment;
  readonly made: TwinWithValues;
  /** Rows of the twin for a row of the original. */
  readonly scale: number;
  /** Host names that confirm production connections. Default: none. */
  readonly confirmed?: readonly string[];
}

/** A comparison, and what limited it. */
export interface CheckedTwin extends TwinComparison {
  /** True: the original is a production server, where no query was executed and nothing counted. */
  readonly isProduction: boolean;
}

/** Tables of the original with more rows than this are not counted; their figures are those of the statistics. */
const mostCounted = 1_000_000;

/**
 * Makes a twin on its target, compares it with the original, and drops it. The original is only read; on a production
 * server no query is executed. Throws 'badInput' where the twin's target may not be written to.
 */
export async function checkTwin(options: CheckOptions): Promise<CheckedTwin> {
  const { original, experiment, made, scale, home } = options;
  requireGenuine(original);
  requireGenuine(experiment);
  const [target] = experiment.targets;
  const [variant] = experiment.plan.variants;
  if (!target || !variant) throw new DynoError('internal', 'The experiment of a twin has a target and a variant.');
  requireTargetsConfirmed(home, [target], options.confirmed ?? []);
  refuseWrites(target, experiment.plan, home);
  requirePasswordsOf([original, target], options);
  ensureHome(home);
  const { control, tag } = controlOf(
    target,
    options,
    experiment.plan.targets.find(({ name }) => name === target.name),
  );
  const prefix = `dyno_${tag}_twin`;
  const { descriptor } = control;
  const engineOptions = optionsFor(descriptor, variant.settings);
  const ordered = withUuidOrder(experiment.plan.experiment, descriptor.uuids.order);
  const staged = stagedTables(ordered, variant.settings, prefix, engineOptions, descriptor.id);
  const loaded = loadedOf(staged);
  const tables = comparedTables(made, plansOf(loaded));
  const queries = twinQueries(made, tables);
  const theirs = await originalFigures(options, variant, tables, queries);
  let held: HeldTables | null = null;
  try {
    const { place } = await control.connect(options.signal);
    // If this process is killed in between, the next run on this server drops the tables.
    held = holdTables(home, tag);
    held.note(place);
    await makeTables(control, staged, variant.settings, options);
    if (ordered.setup !== undefined) {
      await runSetup(
        control,
        ordered,
        prefix,
        { ...setupObjects(control, ordered, prefix, engineOptions), ...loaded },
        engineOptions,
        options.signal,
      );
      for (const { table } of Object.values(loaded)) await control.ask({ call: 'settle', table }, options.signal);
    }
    options.onActivity(`Comparing the twin on ${target.name}`);
    const own = await control.ask(
      twinRequest({ tables: plansOf(loaded), options: engineOptions }, tables, queries),
      options.signal,
    );
    const compared = {
      ...{ tables, queries, scale, original: theirs.figures, twin: own, plans: plansOf(loaded) },
      isSameEngine: original.engine === target.engine,
    };
    return { ...compareTwin(compared), isProduction: theirs.isProduction };
  } finally {
    await leaveTwin(control, held, prefix, loaded, options);
  }
}

async function leaveTwin(
  control: Control,
  held: HeldTables | null,
  prefix: string,
  loaded: LoadedTables,
  options: CheckOptions,
): Promise<void> {
  if (held) await dropTables(control, held, prefix, loaded, options);
  await leave(control);
}

const twinRequest = (
  on: Pick<FiguresRequest, 'tables' | 'options'>,
  tables: readonly ComparedTable[],
  queries: readonly TwinQuery[],
) =>
  ({
    call: 'tableFigures',
    ...on,
    counted: tables.map(({ mapped }) => ({ placeholder: mapped.name })),
    columns: tables.flatMap(({ mapped, columns }) =>
      columns.map(({ twin }) => ({ table: { placeholder: mapped.name }, column: twin })),
    ),
    queries: queries.map(({ twin }) => twin),
    mayRun: true,
  }) as const;

/** The figures of the original. A production server, and a large table, is not counted. */
async function originalFigures(
  options: CheckOptions,
  { settings }: Variant,
  tables: readonly ComparedTable[],
  queries: readonly TwinQuery[],
): Promise<{ readonly figures: TableFigures; readonly isProduction: boolean }> {
  const { original, signal, onActivity } = options;
  const { control } = controlOf(original, { ...options, onProduction: readsAlone });
  try {
    const { mark } = await control.connect(signal);
    const isProduction = mark !== null;
    const isCounted = ({ facts }: ComparedTable) => !isProduction && facts.rows <= mostCounted;
    const counted = tables.filter(isCounted);
    const nameOf = ({ facts: { schema, name } }: ComparedTable) => ({ schema, name });
    onActivity(`Asking ${original.name} about the original tables`);
    const figures = await control.ask(
      {
        ...{ call: 'tableFigures', tables: {} },
        options: optionsFor(catalogEntry(original.engine).descriptor, settings),
        counted: counted.map(nameOf),
        columns: counted.flatMap((table) =>
          table.columns.map((column) => ({ table: nameOf(table), column: column.original })),
        ),
        queries: queries.map((query) => query.original),
        mayRun: !isProduction,
      },
      signal,
    );
    const rows = [...figures.counted];
    const columns = [...figures.columns];
    return {
      figures: {
        counted: tables.map((table) => (isCounted(table) ? (rows.shift() ?? null) : null)),
        columns: tables.flatMap((table) =>
          table.columns.map(() => (isCounted(table) ? (columns.shift() ?? null) : null)),
        ),
        queries: figures.queries,
      },
      isProduction,
    };
  } finally {
    await leave(control);
  }
}
