import { tableColumns } from '#model/dataset/columns.ts';
import type { ColumnType, Dataset } from '#model/dataset/dataset.ts';
import { columnsWithin } from '#model/dataset/indexes.ts';
import { allTables, datasetName } from '#model/dataset/tables.ts';
import { formatBytes, formatCount } from '#model/format/format.ts';
import { fillingOperations, readOnlyOperations } from '#model/settings/vocabulary.ts';
import type { Plan, Variant } from '#protocol/plan.ts';
import { planOf, variantOf } from './variant-of.ts';

/** The most bytes that the trials of one target would write; null if they cannot be estimated before the run. */
interface VolumeEstimate {
  readonly target: string;
  /** Rows that Dyno loads and trials insert, copy, update or delete, over the whole run. */
  readonly rows: number | null;
  /** Bytes of the tables and their indexes, while they are largest. They are dropped after each trial. */
  readonly diskBytes: number | null;
  /** Bytes of all rows and index entries that the run writes: the size of a log that contains nothing else. */
  readonly logBytes: number | null;
}

/** The bytes beside a row or an index entry: header, pointer and slack of half-full pages. */
const rowOverhead = 40;
const entryOverhead = 32;

/** The origin of the figures, for their readers. */
export const volumeBasis =
  'An estimate: rows × the widest values of their columns, plus 40 bytes a row and 32 an index entry. Servers store and log differently; full pages, checkpoints and replicas can multiply the log.';

/** The bytes that a run would write on each target that does work. Pure; nothing is measured. */
export function estimateVolume(plan: Plan, references: ReadonlySet<string> = new Set()): readonly VolumeEstimate[] {
  return plan.targets
    .filter(({ engine }) => !references.has(engine))
    .map(({ name }) => {
      const trials = plan.trials.filter(({ target }) => target === name);
      const each = trials.map(({ variant }) => volumeOf(plan, variantOf(plan, variant)));
      const sum = (of: (one: Volume) => number | null) =>
        each.reduce<number | null>((total, one) => plus(total, of(one)), 0);
      return {
        target: name,
        rows: sum(({ rows }) => rows),
        diskBytes: each.some(({ diskBytes }) => diskBytes === null)
          ? null
          : Math.max(0, ...each.map(({ diskBytes }) => diskBytes ?? 0)),
        logBytes: sum(({ logBytes }) => logBytes),
      };
    });
}

/** Bytes that a trial's tables have before it measures. */
export const loadedBytes = (plan: Plan, variant: Variant): number =>
  loadedTables(plan, variant).reduce((sum, dataset) => sum + dataset.rows * rowBytes(dataset), 0);

/** "up to 20,000 rows, 3.1 MB on disk at a time, about 3.1 MB of log" */
export function volumeText({ rows, diskBytes, logBytes }: VolumeEstimate): string {
  if (rows === 0) return 'nothing is written';
  if (rows === null) return 'the amount depends on the speed of the trials and is not known beforehand';
  return `up to ${formatCount(rows)} rows, ${formatBytes(diskBytes)} on disk at a time, about ${formatBytes(logBytes)} of log`;
}

type Volume = Omit<VolumeEstimate, 'target'>;

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/** The tables that are filled before a trial measures. */
function loadedTables(plan: Plan, variant: Variant): readonly Dataset[] {
  const { experiment } = planOf(plan, variant);
  const { operation } = variant.settings;
  return Object.entries(allTables(experiment)).flatMap(([name, dataset]) =>
    name === datasetName(experiment.dataset) && operation === 'insert' ? [] : [dataset],
  );
}

function volumeOf(plan: Plan, variant: Variant | undefined): Volume {
  if (!variant) return { rows: 0, diskBytes: 0, logBytes: 0 };
  const { operation } = variant.settings;
  const loaded = loadedTables(plan, variant);
  const loadedRows = loaded.reduce((sum, { rows }) => sum + rows, 0);
  const bytes = loadedBytes(plan, variant);
  const own = planOf(plan, variant);
  const { dataset } = own.experiment;
  if (readOnlyOperations.includes(operation)) return { rows: loadedRows, diskBytes: bytes, logBytes: bytes };
  // Nobody knows how much custom statements write, unless they only read.
  if (operation === 'statement' && loaded.length === 0 && readsOnly(own)) return { rows: 0, diskBytes: 0, logBytes: 0 };
  const { until, rows, warmupRows } = own.measure;
  if (operation === 'statement' || until !== 'rows') return { rows: null, diskBytes: null, logBytes: null };
  const written = rows + warmupRows;
  const each = rowBytes(dataset);
  return {
    rows: loadedRows + written,
    diskBytes: bytes + (fillingOperations.includes(operation) ? written * each : 0),
    logBytes: bytes + written * each,
  };
}

const readsOnly = ({ experiment: { statements = {} } }: Plan): boolean =>
  Object.values(statements).every(({ isRead }) => isRead === true);

/** Bytes of a row with its index entries, where every value is as long as it can be. */
function rowBytes(dataset: Dataset): number {
  const columns = tableColumns(dataset);
  const widths = new Map(columns.map(({ name, type }) => [name, widthOf(type)]));
  const width = (names: readonly string[]) => names.reduce((sum, name) => sum + (widths.get(name) ?? 0), 0);
  const keys = [...(dataset.key === undefined ? [] : [[dataset.key]]), ...(dataset.indexes ?? []).map(columnsWithin)];
  return (
    rowOverhead +
    width(columns.map(({ name }) => name)) +
    keys.reduce((sum, names) => sum + entryOverhead + width(names), 0)
  );
}

function widthOf(type: ColumnType): number {
  switch (type.kind) {
    case 'text':
      return type.maxLength * (type.ascii ? 1 : 3) + 2;
    case 'bytes':
      return type.maxLength + 2;
    case 'uuid':
    case 'decimal':
      return 16;
    case 'bigint':
    case 'timestamp':
      return 8;
    case 'boolean':
      return 1;
  }
}
