import type { ServerParameters } from '#model/settings/server-parameters.ts';
import { byEngine, valuesFor } from './by-engine.ts';

/** The parameters of servers, by engine (`server`). */
export const serverSchema = byEngine('Parameters of servers, by engine: { postgres: { shared_buffers: 1GB } }.');

/** A change of `server` by a size or a level. */
export const serverChangeSchema = byEngine('Each takes the place of the parameter with its name.');

/** The parameters of an experiment for the servers of an engine, as texts. Empty: it has none. */
export const serverParametersOf = ({ server }: { readonly server?: unknown }, engine: string): ServerParameters =>
  valuesFor(server, engine);
