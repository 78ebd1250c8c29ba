import type { ConfigParser } from '#engine-api/config.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { config as drdaConfig } from './drda/config.ts';
import { descriptor as drdaDescriptor } from './drda/descriptor.ts';
import { config as mongodbConfig } from './mongodb/config.ts';
import { descriptor as mongodbDescriptor } from './mongodb/descriptor.ts';
import { config as mysqlConfig } from './mysql/config.ts';
import { descriptor as mysqlDescriptor } from './mysql/descriptor.ts';
import { config as noopConfig } from './noop/config.ts';
import { descriptor as noopDescriptor } from './noop/descriptor.ts';
import { config as oracleConfig } from './oracle/config.ts';
import { descriptor as oracleDescriptor } from './oracle/descriptor.ts';
import { config as postgresConfig } from './postgres/config.ts';
import { descriptor as postgresDescriptor } from './postgres/descriptor.ts';
import { config as ravendbConfig } from './ravendb/config.ts';
import { descriptor as ravendbDescriptor } from './ravendb/descriptor.ts';
import { config as sqliteConfig } from './sqlite/config.ts';
import { descriptor as sqliteDescriptor } from './sqlite/descriptor.ts';
import { config as sqlserverConfig } from './sqlserver/config.ts';
import { descriptor as sqlserverDescriptor } from './sqlserver/descriptor.ts';

/** The parts of an engine that need no driver. */
export interface CatalogEntry {
  readonly descriptor: EngineDescriptor;
  readonly config: ConfigParser;
}

/**
 * Every engine, in the order in which they are offered. CONTRIBUTING.md says how to add one. No engine imports another
 * engine's folder (engine-folders.test.ts), and nothing outside of the folder names the engine: where shared code has
 * to know something about it, the descriptor lacks a field.
 */
export const catalog: readonly CatalogEntry[] = [
  { descriptor: postgresDescriptor, config: postgresConfig },
  { descriptor: sqlserverDescriptor, config: sqlserverConfig },
  { descriptor: oracleDescriptor, config: oracleConfig },
  { descriptor: mysqlDescriptor, config: mysqlConfig },
  { descriptor: mongodbDescriptor, config: mongodbConfig },
  { descriptor: ravendbDescriptor, config: ravendbConfig },
  { descriptor: drdaDescriptor, config: drdaConfig },
  { descriptor: sqliteDescriptor, config: sqliteConfig },
  { descriptor: noopDescriptor, config: noopConfig },
];

/** The engine with this id. */
export const findEngine = (id: string): CatalogEntry | undefined =>
  catalog.find(({ descriptor }) => descriptor.id === id);

/** The engine that has a built-in target of this name. */
export const findBuiltIn = (target: string): CatalogEntry | undefined =>
  catalog.find(({ descriptor }) => descriptor.builtIn.some((one) => one.target === target));
