import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { isAlwaysCold } from '#engine-api/support/cold-cache.ts';
import { convertsNull } from '#engine-api/support/converts-null.ts';
import { optionAppliesTo, optionsFor } from '#engine-api/support/engine-options.ts';
import { noIsolationText, trueIsolation } from '#engine-api/support/isolation.ts';
import { keyKindOf, trueKeyKind } from '#engine-api/support/key-kind.ts';
import { cellOf } from '#engine-api/support/support-of.ts';
import type { Support } from '#engine-api/support.ts';
import { columnType, tableColumns } from '#model/dataset/columns.ts';
import type { ColumnType, Dataset } from '#model/dataset/dataset.ts';
import { formatUpTo } from '#model/format/format.ts';
import { isLocalLoad } from '#model/load-hosts.ts';
import { hasEmulatedNetwork } from '#model/settings/environment-settings.ts';
import type { Options } from '#model/settings/options.ts';
import type { CellFacts } from '#model/settings/setting.ts';
import {
  defaultSettings,
  type SettingName,
  type Settings,
  settingDefinitions,
  settingNames,
} from '#model/settings/settings.ts';
import { fillingOperations, type OperationName } from '#model/settings/vocabulary.ts';
import type { Plan } from '#protocol/plan.ts';
import { indexNotBuiltText } from './index-support.ts';
import { noLoadHostsText } from './load-host-rules.ts';
import { noLoadText } from './load-rules.ts';

type TableShape = Pick<Dataset, 'columns' | 'key' | 'indexes'>;

/** The parts of a dataset, and of further tables, that decide if an engine can run it, and which settings matter. */
export type DatasetShape = TableShape & { readonly tables?: Readonly<Record<string, TableShape>> | undefined };

/** The dataset's table and the further tables, if the experiment creates them. */
const tablesOf = ({ tables = {}, ...dataset }: DatasetShape): readonly TableShape[] =>
  Object.keys(dataset.columns).length > 0 || Object.keys(tables).length === 0
    ? [...Object.values(tables), dataset]
    : Object.values(tables);

/** True if a column is declared as a foreign key that the engine checks. */
const checksForeignKeys = (
  engine: EngineDescriptor,
  { foreignKeys = true }: Partial<Settings>,
  dataset: DatasetShape,
): boolean => engine.foreignKeys !== undefined && foreignKeys && hasReferences(dataset);

const hasReferences = (dataset: DatasetShape): boolean =>
  tablesOf(dataset).some(({ columns }) => factsOf(columns).hasReferences);

interface ColumnFacts {
  readonly hasReferences: boolean;
  readonly hasTimestamps: boolean;
  readonly hasDocuments: boolean;
  readonly hasNullable: boolean;
  readonly hasFile: boolean;
}

/** The same columns are judged for every cell, and there may be a thousand. */
const known = new WeakMap<Dataset['columns'], ColumnFacts>();

function factsOf(columns: Dataset['columns']): ColumnFacts {
  const found = known.get(columns);
  if (found) return found;
  const specs = Object.values(columns);
  const facts = {
    hasReferences: specs.some((spec) => spec.type === 'reference' && spec.table !== undefined),
    hasTimestamps: specs.some((spec) => columnType(spec).kind === 'timestamp'),
    hasDocuments: specs.some((spec) => spec.type === 'document' || (spec.type === 'file' && spec.as === 'document')),
    hasFile: specs.some(({ type }) => type === 'file'),
    hasNullable: tableColumns({ columns }).some(({ nullable }) => nullable),
  };
  known.set(columns, facts);
  return facts;
}

/** The parts of the measurement that decide which settings matter. */
type MeasureShape = Pick<Plan['measure'], 'calls'>;

/** The reason why an engine cannot run these settings, as a sentence; null where it can. */
export function impossibleText(engine: EngineDescriptor, settings: Settings, dataset: DatasetShape): string | null {
  const { operation, method, rowsPerCall, callsPerCommit, connections, processes } = settings;
  const support = cellOf(engine, settings);
  if (!support && !engine.support[operation] && engine.unsupportedReasons[operation] !== undefined)
    return engine.unsupportedReasons[operation];
  if (!support)
    return (
      engine.unsupportedReasons[`${operation}.${method}`] ??
      engine.unsupportedReasons[method] ??
      engine.unsupportedReasons[operation] ??
      `${engine.label} has no ${method} for ${operation}.`
    );
  if (engine.inProcess && hasEmulatedNetwork(settings))
    return `${engine.label} works inside the client process: there is no network to delay.`;
  if (settings.pooler !== 'none' && settings.tls === 'on' && engine.pooler !== undefined)
    return `tls: on — ${engine.pooler} is started without a certificate, so that its clients have no TLS.`;
  const unbuildable =
    notBuiltText(engine, settings, dataset) ??
    tooLongText(engine, dataset) ??
    noRangeText(settings, dataset) ??
    notSortedText(engine, settings, dataset) ??
    notBoundText(engine, settings, support, dataset);
  if (unbuildable !== null) return unbuildable;
  const excluded = excludedBy(engine, settings, support, dataset);
  if (excluded !== null) return excluded;
  const needed = unmetNeeds(engine, support, optionsFor(engine, settings));
  if (needed.length > 0)
    return [
      `${method} needs ${needed.join(' and ')}.`,
      engine.unsupportedReasons[`${operation}.${method}`] ?? engine.unsupportedReasons[method],
    ]
      .filter(Boolean)
      .join(' ');
  if (rowsPerCall > support.maxRowsPerCall)
    return support.maxRowsPerCall === 1
      ? `${method} carries one row per call, not ${count(rowsPerCall)}.`
      : [
          `${method} on ${engine.label} carries at most ${count(support.maxRowsPerCall)} rows per call, not ${count(rowsPerCall)}.`,
          support.rowLimitReason,
        ]
          .filter(Boolean)
          .join(' ');
  if (callsPerCommit > 1 && operation === 'statement')
    return 'Custom statements commit by themselves; list those that belong together under transactions.';
  if (callsPerCommit > 1 && engine.oneCallPerCommit !== undefined) return engine.oneCallPerCommit;
  const parameters = rowsPerCall * parametersPerRow(operation, Object.keys(dataset.columns).length);
  if (support.maxParameters !== undefined && parameters > support.maxParameters)
    return `${count(rowsPerCall)} rows per call need ${count(parameters)} parameters; ${engine.label} takes ${count(support.maxParameters)} at most.`;
  if (engine.maxConnections !== null && connections > engine.maxConnections)
    return `${engine.label} takes at most ${count(engine.maxConnections)} ${engine.maxConnections === 1 ? 'connection' : 'connections'}, not ${count(connections)}.`;
  const unisolated = noIsolationText(engine, settings.isolation);
  if (unisolated !== null) return unisolated;
  const uncopied = notCopiedText(engine, settings, dataset);
  if (uncopied !== null) return uncopied;
  if (processes > connections)
    return `${count(processes)} processes need at least as many connections, not ${count(connections)}.`;
  const facts = cellFacts(engine, settings, support, dataset);
  return (
    noValueText(engine, settings, support, facts) ??
    noLoadText(settings, support) ??
    noLoadHostsText(engine, settings) ??
    notSentText(settings, dataset)
  );
}

/** The reason why the engine cannot store a decimal column; null where it can. */
function tooLongText(
  { label, mostDecimalDigits: most = Number.POSITIVE_INFINITY }: EngineDescriptor,
  dataset: DatasetShape,
) {
  for (const { columns } of tablesOf(dataset))
    for (const [name, spec] of Object.entries(columns)) {
      const type = columnType(spec);
      if (type.kind === 'decimal' && type.precision > most)
        return `${label} stores decimals of ${most} digits at most, and the column ${name} has ${type.precision}.`;
    }
  return null;
}

/** The reason why load hosts do not have the rows of a table; null where they do. */
const notSentText = ({ loadFrom }: Settings, dataset: DatasetShape): string | null =>
  isLocalLoad(loadFrom) || !tablesOf(dataset).some(({ columns }) => factsOf(columns).hasFile)
    ? null
    : 'Rows of a file are on the machine that runs Dyno, and other load hosts do not have them.';

/** The reason why the engine does not support a setting's value in a cell; null where it does. */
function noValueText(
  { unsupportedReasons }: EngineDescriptor,
  settings: Settings,
  { uses = [] }: Support,
  facts: CellFacts,
): string | null {
  const reasons: Readonly<Record<string, string | undefined>> = unsupportedReasons;
  const isAskedInVain = (name: SettingName) =>
    settings[name] !== defaultSettings[name] && !uses.includes(name) && settingDefinitions[name].asks?.(facts) === true;
  // The server decides if its cache can be emptied (cold-cache.ts).
  const applied = settingNames.filter(
    (name) => name !== 'cache' && (settingDefinitions[name].appliesTo(facts) || isAskedInVain(name)),
  );
  const keyOf = (name: SettingName) =>
    typeof settings[name] === 'number' && settings[name] !== defaultSettings[name] ? name : `${name}.${settings[name]}`;
  return applied.map((name) => reasons[keyOf(name)]).find((reason) => reason !== undefined) ?? null;
}

/**
 * The reason why foreign keys are impossible with the other settings; null where they are possible, or there are none.
 */
function notForeignText(engine: EngineDescriptor, settings: Settings, dataset: DatasetShape): string | null {
  const { keyCreation = 'beforeLoad', partitions = 1 } = settings;
  if (!checksForeignKeys(engine, settings, dataset)) return null;
  if (keyCreation === 'none')
    return 'Foreign keys lead to keys, and with keyCreation: none there are none (foreignKeys: false).';
  if (partitions > 1) return engine.unsupportedReasons['foreignKeys.partitions'] ?? null;
  return null;
}

const notBuiltText = (engine: EngineDescriptor, settings: Settings, dataset: DatasetShape): string | null =>
  tablesOf(dataset)
    .map((table) => tableNotBuiltText(engine, settings, table))
    .find((reason) => reason !== null) ?? notForeignText(engine, settings, dataset);

/** The reason why the key or the indexes cannot be created at their time; null where they can. */
function tableNotBuiltText(engine: EngineDescriptor, settings: Settings, table: TableShape): string | null {
  const { key, indexes = [] } = table;
  const { keyCreation = 'beforeLoad', indexCreation = 'beforeLoad', partitions = 1, fillFactor = 0 } = settings;
  if (key !== undefined && keyCreation === 'none' && findsByKey(settings))
    return `${settings.operation} finds rows by key, and with keyCreation: none there is none.`;
  if (key !== undefined && keyCreation === 'afterLoad' && engine.keyAfterLoad === undefined)
    return (
      engine.unsupportedReasons['keyCreation.afterLoad'] ?? `${engine.label} adds no key to a table that has rows.`
    );
  if (fillFactor > 0 && keyCreation !== 'afterLoad' && engine.fillFactor?.onlyOverRows !== undefined)
    return engine.fillFactor.onlyOverRows;
  if (partitions > 1 && engine.partitions === undefined)
    return engine.unsupportedReasons.partitions ?? `${engine.label} has no partitions.`;
  if (partitions > 1 && key === undefined) return 'Rows are spread over partitions by their key, and a table has none.';
  const keyKind = keyKindOf(table, settings);
  const unspread = keyKind === null ? undefined : engine.unsupportedReasons[`partitions.${keyKind}`];
  if (partitions > 1 && unspread !== undefined) return unspread;
  if (indexCreation === 'none') return null;
  return indexes.map((index) => indexNotBuiltText(engine, settings, table, index)).find((why) => why !== null) ?? null;
}

/** The reason why the column cannot be the filter of a range; null where it can. */
function noRangeText({ operation, rangeColumn = '' }: Settings, { columns }: DatasetShape): string | null {
  if (operation !== 'readRange' || rangeColumn === '') return null;
  const spec = columns[rangeColumn];
  if (!spec)
    return `rangeColumn: ${rangeColumn} is no column of the dataset; there are ${Object.keys(columns).join(', ')}.`;
  const { kind } = columnType(spec);
  return kind === 'bigint' || kind === 'decimal' || kind === 'timestamp'
    ? null
    : `rangeColumn: ${rangeColumn} — ranges are cut by numbers or times, and that column has none.`;
}

/** The reason why rows cannot be copied; null where they can. */
function notCopiedText(
  { unsupportedReasons }: EngineDescriptor,
  settings: Settings,
  { columns, key }: DatasetShape,
): string | null {
  if (settings.operation !== 'copy') return null;
  if (settings.processes > 1) return 'One cursor reads the table that is copied, so that one process copies it.';
  if (key === undefined) return 'Copied rows get new keys, and the dataset has none.';
  if (keyKindOf({ key, columns }, settings) === 'file')
    return 'Copied rows get new keys, and the keys of the dataset come from a file, which has no more of them.';
  // The rows of another target are checked against that target, in copy-source.ts.
  return settings.copyFrom === '' ? unreadableText({ unsupportedReasons }, settings, { columns }) : null;
}

/** The reason why an engine cannot return the values of a column; null where it can. */
export const unreadableText = (
  { unsupportedReasons }: Pick<EngineDescriptor, 'unsupportedReasons'>,
  settings: Settings,
  { columns }: Pick<DatasetShape, 'columns'>,
): string | null =>
  tableColumns({ columns }, settings).flatMap(({ type }) => unsupportedReasons[`copy.${type.kind}`] ?? [])[0] ?? null;

const isSorted = ({ operation, orderBy = '' }: Settings): boolean => operation === 'scan' && orderBy !== '';

/** Longer texts are large objects on some engines. */
const longestSorted = 4_000;

/** The reason why a scan cannot be sorted, or not with this memory; null where it can. */
function notSortedText(engine: EngineDescriptor, settings: Settings, { columns }: DatasetShape): string | null {
  if (!isSorted(settings)) return null;
  const { orderBy, sortMemoryKb = 0 } = settings;
  const spec = columns[orderBy];
  if (!spec) return `orderBy: ${orderBy} is no column of the dataset; there are ${Object.keys(columns).join(', ')}.`;
  const type = columnType(spec);
  if (type.kind === 'bytes' || (type.kind === 'text' && type.maxLength * (type.ascii ? 1 : 4) > longestSorted))
    return `orderBy: ${orderBy} — bytes, and texts beyond ${count(longestSorted)} bytes, are large objects on some engines, and those have no order.`;
  if (engine.unsupportedReasons.orderBy !== undefined) return engine.unsupportedReasons.orderBy;
  if (sortMemoryKb === 0) return null;
  if (!engine.sortMemory)
    return engine.unsupportedReasons.sortMemoryKb ?? `${engine.label} lets no session say what a sort may use.`;
  const { implementation, leastKb, mostKb = Number.POSITIVE_INFINITY } = engine.sortMemory;
  return sortMemoryKb < leastKb || sortMemoryKb > mostKb
    ? `sortMemoryKb: ${engine.label} takes ${sortMemoryKb < leastKb ? `${count(leastKb)} KB at least` : `${count(mostKb)} KB at most`} (${implementation}).`
    : null;
}

/** Types of the columns with nulls that the client sends. */
function nullsSent(settings: Settings, { serverData }: Support, { columns }: DatasetShape): readonly ColumnType[] {
  const { operation, nullShare = -1 } = settings;
  if (!fillingOperations.includes(operation) || serverData || nullShare === 0) return [];
  if (!factsOf(columns).hasNullable) return [];
  return tableColumns({ columns }, settings).flatMap(({ type, nullable }) => (nullable ? [type] : []));
}

/**
 * The reason why columns that may hold nulls cannot be declared with this type; null where they can, or there are none.
 */
function notBoundText(
  engine: EngineDescriptor,
  settings: Settings,
  support: Support,
  dataset: DatasetShape,
): string | null {
  const { method, nullBinding = 'asColumn' } = settings;
  const sent = nullsSent(settings, support, dataset);
  if (nullBinding === 'asColumn' || sent.length === 0) return null;
  const form = engine.nullBindings?.[nullBinding];
  if (!form)
    return (
      engine.unsupportedReasons[`nullBinding.${nullBinding}`] ??
      engine.unsupportedReasons.nullBinding ??
      `On ${engine.label} nulls have no type of their own.`
    );
  if (!form.methods.includes(method))
    return `nullBinding: ${nullBinding} — only where each null is a parameter of its own: by ${form.methods.join(', ')}.`;
  return sent.some((type) => convertsNull(form, type))
    ? null
    : `nullBinding: ${nullBinding} — ${engine.label} converts such nulls to columns of ${form.converts.join(', ')} alone, and none of these holds nulls.`;
}

const findsByKey = ({ operation, rangeColumn = '' }: Settings): boolean =>
  operation === 'readByKey' ||
  operation === 'update' ||
  operation === 'delete' ||
  (operation === 'readRange' && rangeColumn === '');

/** The reason why the value of an option leaves the cell empty; null where none does. */
function excludedBy(
  engine: EngineDescriptor,
  settings: Settings,
  support: Support,
  dataset: DatasetShape,
): string | null {
  const { operation, method, keyCreation, callsPerCommit, partitions = 1, nullBinding = 'asColumn' } = settings;
  const keyKind = keyKindOf(dataset, settings);
  const isForeign = checksForeignKeys(engine, settings, dataset);
  const isDeclared = nullBinding !== 'asColumn' && nullsSent(settings, support, dataset).length > 0;
  const values = optionsFor(engine, settings);
  const options = engine.options ?? [];
  const reasons = options.map(({ name, unsupportedReasons }) => {
    const cells = unsupportedReasons?.[String(values[name])];
    const reason =
      cells?.[`${operation}.${method}`] ??
      cells?.[method] ??
      cells?.[operation] ??
      (keyCreation === 'beforeLoad' ? undefined : cells?.[`keyCreation.${keyCreation}`]) ??
      (keyKind === null ? undefined : cells?.[`keyKind.${keyKind}`]) ??
      (partitions > 1 ? cells?.partitions : undefined) ??
      (isForeign ? cells?.foreignKeys : undefined) ??
      (isSorted(settings) ? cells?.orderBy : undefined) ??
      (callsPerCommit > 1 ? cells?.callsPerCommit : undefined) ??
      (isDeclared ? (cells?.nullBinding ?? cells?.[`nullBinding.${method}`]) : undefined) ??
      options.map((other) => cells?.[`option.${other.name}.${values[other.name]}`]).find((why) => why !== undefined);
    return reason === undefined ? null : `${engine.id}.${name}: ${values[name]} — ${reason}`;
  });
  return reasons.find((reason) => reason !== null) ?? null;
}

/** Options that lack the values a cell needs, with these values: "mysql.driver: mariadb". */
export const unmetNeeds = (engine: EngineDescriptor, { needs = {} }: Support, options: Options): readonly string[] =>
  Object.entries(needs).flatMap(([name, value]) => (options[name] === value ? [] : [`${engine.id}.${name}: ${value}`]));

function parametersPerRow(operation: OperationName, columns: number): number {
  switch (operation) {
    case 'insert':
    case 'copy':
      return columns;
    case 'update':
      return 2; // the key and the changed column
    case 'readByKey':
    case 'delete':
      return 1;
    case 'readRange':
    case 'scan':
    case 'statement':
      return 0; // bounds, not rows; a statement has its own values
  }
}

/** Facts about a cell for Setting.appliesTo. */
function cellFacts(
  engine: EngineDescriptor,
  settings: Settings,
  support: Support,
  dataset: DatasetShape,
  measure: MeasureShape = {},
): CellFacts {
  const tables = tablesOf(dataset);
  const has = (fact: keyof ColumnFacts) => tables.some(({ columns }) => factsOf(columns)[fact]);
  const { operation, method } = settings;
  return {
    operation,
    method,
    load: settings.load,
    hasThinkTime: settings.thinkMs > 0,
    poolsTransactions: settings.pooler === 'transaction',
    isSorted: isSorted(settings),
    pipelines: support.pipelines === true,
    batches: support.batches === true,
    serverData: support.serverData === true,
    sendsNulls: nullsSent(settings, support, dataset).length > 0,
    isAlwaysCold: isAlwaysCold(engine, measure),
    hasTimestamps: has('hasTimestamps'),
    // Parameters of custom statements may be documents, too.
    hasNativeDocuments: engine.documents !== undefined && (operation === 'statement' || has('hasDocuments')),
    hasNullableColumns: factsOf(dataset.columns).hasNullable,
    hasDatasetKey: dataset.key !== undefined,
    hasKey: tables.some(({ key }) => key !== undefined),
    hasTables: tables.some(({ columns }) => Object.keys(columns).length > 0),
    hasIndexes: tables.some(({ indexes = [] }) => indexes.length > 0),
    hasForeignKeys: engine.foreignKeys !== undefined && hasReferences(dataset),
  };
}

/** The effective level of a setting on an engine, where several of its values mean the same there. */
function trueLevel(engine: EngineDescriptor, name: SettingName, settings: Settings) {
  if (name === 'isolation') return trueIsolation(engine, settings.isolation);
  return name === 'keyKind' ? trueKeyKind(engine, settings.keyKind) : settings[name];
}

/**
 * The settings that decide what a cell measures, as text: two variants of a target with the same text would measure the
 * same thing twice.
 */
export function effectiveSettings(
  engine: EngineDescriptor,
  settings: Settings,
  dataset: DatasetShape,
  measure: MeasureShape = {},
): string {
  const support = cellOf(engine, settings);
  const facts = support && cellFacts(engine, settings, support, dataset, measure);
  const applied = settingNames.filter(
    (name) => facts && (support.uses?.includes(name) || settingDefinitions[name].appliesTo(facts)),
  );
  const options = optionsFor(engine, settings);
  const own = (engine.options ?? []).filter((option) => optionAppliesTo(option, settings.operation, settings.method));
  return [
    ...applied.map((name) => `${name}=${trueLevel(engine, name, settings)}`),
    ...own.map(({ name }) => `${engine.id}.${name}=${options[name]}`),
  ].join(' ');
}

/** The settings that differ between two variants without effect, by their labels: "pipeline depth". */
export function differingTitles(a: Settings, b: Settings): readonly string[] {
  const settings = settingNames
    .filter((name) => a[name] !== b[name])
    .map((name) => settingDefinitions[name].title.toLowerCase());
  const options = [...new Set([...Object.keys(a.options), ...Object.keys(b.options)])];
  return [...settings, ...options.filter((name) => a.options[name] !== b.options[name])];
}

const count = (value: number): string => formatUpTo(value);
