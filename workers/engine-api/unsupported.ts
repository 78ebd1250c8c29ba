import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import type { IndexFeature, IndexKind } from '#model/dataset/indexes.ts';
import type { SettingName, Settings } from '#model/settings/settings.ts';
import type { KeyKind, MethodName, OperationName } from '#model/settings/vocabulary.ts';

/** One cell, or all cells of an operation or of a method: "insert.bulk", "insert", "bulk". */
export type CellKey = OperationName | MethodName | `${OperationName}.${MethodName}`;

/** Settings with their own rules for values: the cell, and the cache, which a restart of the server may empty. */
type RuledSetting = 'operation' | 'method' | 'cache';

/**
 * A value of a setting: "keyCreation.afterLoad", "isolation.snapshot". The name of a setting of numbers stands for all
 * its values but the default. Settings of free text have no such keys.
 */
type ValueKey<K extends SettingName = Exclude<SettingName, RuledSetting>> = K extends SettingName
  ? Settings[K] extends number
    ? K
    : string extends Settings[K]
      ? never
      : `${K}.${Exclude<Settings[K], number>}`
  : never;

/**
 * The features that an engine may lack. Besides cells and values of settings: hash partitions by a type of key or
 * together with foreign keys; kinds of indexes, their options (of all kinds or of one), and indexes of fields
 * of documents that are stored as text; sorted scans (`orderBy`); an emptied cache; all levels of isolation;
 * all null bindings but asColumn; copies of a type of column; sessions in which the server refuses writes;
 * settings of sessions; parameters of servers; objects of `setup`; counted statements.
 */
type UnsupportedKey =
  | CellKey
  | ValueKey
  | `partitions.${ColumnSpec['type'] | KeyKind}`
  | 'foreignKeys.partitions'
  | `index.${IndexKind | IndexFeature}`
  | `index.${IndexKind}.${IndexFeature}`
  | 'index.documents.text'
  | 'index.partitions'
  | 'orderBy'
  | 'cache.cold'
  | 'isolation'
  | 'nullBinding'
  | `copy.${ColumnType['kind']}`
  | 'readOnlySessions'
  | 'sessionSettings'
  | 'serverParameters'
  | 'setup'
  | 'keptStatements'
  | 'tableStatistics'
  | 'pageUse';

/** Reasons, as sentences, why an engine does not support something. */
export type UnsupportedReasons = { readonly [K in UnsupportedKey]?: string };

/** A feature that one value of an engine-specific option may exclude. */
type ExcludedKey =
  | CellKey
  | 'keyCreation.afterLoad'
  | 'keyCreation.none'
  | `keyKind.${ColumnSpec['type'] | KeyKind}`
  | 'partitions'
  | 'foreignKeys'
  | 'orderBy'
  | 'callsPerCommit'
  | 'nullBinding'
  | `nullBinding.${MethodName}`
  // A value of another option of the engine: 'option.compression.table'.
  | `option.${string}.${string}`;

/** Reasons, as sentences, why a value of an option excludes something. */
export type ExclusionReasons = { readonly [K in ExcludedKey]?: string };
