import type { Engine } from '#engine-api/engine.ts';
import { DynoError } from '#model/error.ts';

/** Drivers are heavy and may be missing a native part: each is imported only when its engine is used, in the worker that uses it. */
const loaders: Readonly<Record<string, () => Promise<{ readonly engine: Engine }>>> = {
  postgres: () => import('./postgres/index.ts'),
  sqlserver: () => import('./sqlserver/index.ts'),
  oracle: () => import('./oracle/index.ts'),
  mysql: () => import('./mysql/index.ts'),
  mongodb: () => import('./mongodb/index.ts'),
  ravendb: () => import('./ravendb/index.ts'),
  drda: () => import('./drda/index.ts'),
  sqlite: () => import('./sqlite/index.ts'),
  null: () => import('./null/index.ts'),
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
