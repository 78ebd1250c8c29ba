import type { ConfigParser, EngineDescriptor } from '#contract/engine.ts';
import { config as nullConfig } from './null/config.ts';
import { descriptor as nullDescriptor } from './null/descriptor.ts';
import { config as postgresConfig } from './postgres/config.ts';
import { descriptor as postgresDescriptor } from './postgres/descriptor.ts';
import { config as sqliteConfig } from './sqlite/config.ts';
import { descriptor as sqliteDescriptor } from './sqlite/descriptor.ts';

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
 *   and say why in `cannot`;
 * - `config.ts`: parse a target's keys, and describe them without secrets;
 * - `index.ts`: `export const engine: Engine`, and beside it `schema.ts` (tables, marks, drop), `operations.ts` (everything costly
 *   in prepare and encode; run only sends and waits), `probe.ts` (counters), `errors.ts` (one pure function, tested on recorded errors).
 * Then add a line here and one in load.ts. The conformance suite runs over it as soon as conformance.test.ts knows a server of it.
 * Nothing outside the folder may name the engine: if shared code needs to know something, the descriptor lacks a field.
 */
export const catalog: readonly CatalogEntry[] = [
  { descriptor: postgresDescriptor, config: postgresConfig },
  { descriptor: sqliteDescriptor, config: sqliteConfig },
  { descriptor: nullDescriptor, config: nullConfig },
];
