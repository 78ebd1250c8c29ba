import type { ConfigParser } from '#engine-api/config.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import * as drda from './drda/catalog-entry.ts';
import * as mongodb from './mongodb/catalog-entry.ts';
import * as mysql from './mysql/catalog-entry.ts';
import * as noop from './noop/catalog-entry.ts';
import * as oracle from './oracle/catalog-entry.ts';
import * as postgres from './postgres/catalog-entry.ts';
import * as ravendb from './ravendb/catalog-entry.ts';
import * as sqlite from './sqlite/catalog-entry.ts';
import * as sqlserver from './sqlserver/catalog-entry.ts';

/** The parts of an engine that need no driver. */
export interface CatalogEntry {
  readonly descriptor: EngineDescriptor;
  readonly config: ConfigParser;
  /** The formats of its log files, the most specific first. Absent: Dyno reads none. */
  readonly logs?: readonly StatementLogFormat[];
}

/**
 * Every engine, in the order in which they are offered. CONTRIBUTING.md says how to add one. No engine imports another
 * engine's folder (engine-folders.test.ts), and nothing outside of the folder names the engine: where shared code has
 * to know something about it, the descriptor lacks a field.
 */
export const catalog: readonly CatalogEntry[] = [
  postgres,
  sqlserver,
  oracle,
  mysql,
  mongodb,
  ravendb,
  drda,
  sqlite,
  noop,
];

/** The engine with this id. */
export const findEngine = (id: string): CatalogEntry | undefined =>
  catalog.find(({ descriptor }) => descriptor.id === id);

/** The engine that has a built-in target of this name. */
export const findBuiltIn = (target: string): CatalogEntry | undefined =>
  catalog.find(({ descriptor }) => descriptor.builtIn.some((one) => one.target === target));
