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
 * Every engine, in the order in which they are offered.
 *
 * To add one, copy `noop/` to a folder named after the engine's id, and add a line here and one in load.ts. The folder
 * has:
 * - `descriptor.ts`: which cells of operation × method exist, and the real call behind each (`means`). Leave a cell out
 *   rather than emulate it, and give the reason in `cannot`. The descriptor also has the fields of a connection, and
 *   `options`, the settings that no other engine has.
 * - `config.ts`: parses a target's keys (engine-api/config-fields.ts), describes them without secrets, and lists the
 *   `endpoints` that the driver connects to. `grants.ts` has the script of the least privileges.
 * - `engine.ts`: exports `engine: Engine`. `session.ts`: one connection that runs calls.
 * - `operations.ts`: everything costly happens in prepare and encode; run only sends and waits. `custom-statement.ts`:
 *   the same for a user's own statement.
 * - `tables.ts` creates, marks and drops tables. `load.ts`, `settle.ts`, `indexes.ts`, `checksum.ts` and
 *   `stored-bytes.ts` work on them.
 * - `probe.ts` and `probe-info.ts`: counters; `fingerprint.ts`: version and settings.
 * - `errors.ts`: one pure function, tested on recorded errors.
 * - `test-server.fixture.ts`: starts a real server; `conformance.test.ts` runs the conformance suite on it.
 * A folder with more than about twenty files has them in `connection/`, `schema/`, `statements/`, `values/`, `wire/`
 * and `probe/`.
 *
 * Code that several engines use is in `shared/`, and names no engine; fields with the same meaning are in
 * engine-api/server-fields.ts. No engine imports another engine's folder (engine-folders.test.ts). Nothing outside of the
 * folder may name the engine: where shared code has to know something about it, the descriptor lacks a field. A server
 * that Dyno can start by itself (`builtIn`) also gets a ServerKind in managed-servers/servers.
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
