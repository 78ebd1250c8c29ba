import type { ConfigParser, EngineDescriptor } from '#contract/engine.ts';
import { config as drdaConfig } from './drda/config.ts';
import { descriptor as drdaDescriptor } from './drda/descriptor.ts';
import { config as mongodbConfig } from './mongodb/config.ts';
import { descriptor as mongodbDescriptor } from './mongodb/descriptor.ts';
import { config as mysqlConfig } from './mysql/config.ts';
import { descriptor as mysqlDescriptor } from './mysql/descriptor.ts';
import { config as nullConfig } from './null/config.ts';
import { descriptor as nullDescriptor } from './null/descriptor.ts';
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

/** What the app knows of an engine without loading its driver. */
export interface CatalogEntry {
  readonly descriptor: EngineDescriptor;
  readonly config: ConfigParser;
}

/**
 * Every engine, in the order they are offered.
 *
 * To add one: copy `null/` to a folder named after the engine and fill in
 * - `descriptor.ts`: which operation × method cells exist and what each really is (`means`); leave a cell out rather than emulate it,
 *   and say why in `cannot`; the fields of a connection, and `options`, the knobs that no other engine has;
 * - `config.ts`: parse a target's keys (contract/config-fields.ts), describe them without secrets, say where the driver will probeTcpPort
 *   (`endpoints`); beside it `grants.ts`, the script of least rights;
 * - `index.ts`: `export const engine: Engine`, and beside it `schema.ts` (tables, marks, drop), `operations.ts` (everything costly
 *   in prepare and encode; run only sends and waits), `probe.ts` (counters), `errors.ts` (one pure function, tested on recorded errors);
 * - `test-server.fixture.ts`: a real server for the conformance suite, which then runs over every promise.
 * Then add a line here and one in load.ts. A server that Dyno can start by itself (`builtIn`) gets a ServerKind in host/lab/servers, too.
 * What several engines need alike stands beside their folders and names none: `tls.ts`, `tab-text.ts`, `config-refusal.fixture.ts` for
 * config.test.ts, `peer-comparison.fixture.ts` for benchmarks; fields that mean the same are in contract/server-fields.ts. No engine
 * imports another's folder.
 * Nothing outside the folder may name the engine: if shared code needs to know something, the descriptor lacks a field.
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
  { descriptor: nullDescriptor, config: nullConfig },
];

/** The engine with this id. */
export const findEngine = (id: string): CatalogEntry | undefined =>
  catalog.find(({ descriptor }) => descriptor.id === id);

/** The engine whose built-in target is called so. */
export const findBuiltIn = (target: string): CatalogEntry | undefined =>
  catalog.find(({ descriptor }) => descriptor.builtIn.some((one) => one.target === target));
