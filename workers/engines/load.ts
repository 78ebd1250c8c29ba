import type { Engine } from '#engine-api/engine.ts';
import { DynoError } from '#model/error.ts';

/** Drivers are heavy and may lack a native part: a worker imports only the one of its engine, when it needs it. */
const loaders: Readonly<Record<string, () => Promise<{ readonly engine: Engine }>>> = {
  postgres: () => import('./postgres/engine.ts'),
  sqlserver: () => import('./sqlserver/engine.ts'),
  oracle: () => import('./oracle/engine.ts'),
  mysql: () => import('./mysql/engine.ts'),
  mongodb: () => import('./mongodb/engine.ts'),
  ravendb: () => import('./ravendb/engine.ts'),
  drda: () => import('./drda/engine.ts'),
  sqlite: () => import('./sqlite/engine.ts'),
  noop: () => import('./noop/engine.ts'),
};

/** The engine with this id. Throws 'badInput' for an id that is not in the catalog. */
export async function loadEngine(id: string): Promise<Engine> {
  const load = Object.hasOwn(loaders, id) ? loaders[id] : undefined;
  if (!load) {
    throw new DynoError('badInput', `There is no engine "${id}".`, {
      hint: `Engines: ${Object.keys(loaders).join(', ')}.`,
    });
  }
  return (await load()).engine;
}
