import type { Reproducer } from '#engine-api/reproducer.ts';

/** The engines whose cells can be written as scripts. */
const loaders: Readonly<Record<string, () => Promise<{ readonly reproducer: Reproducer }>>> = {
  postgres: () => import('./postgres/reproducer.ts'),
  mysql: () => import('./mysql/reproducer.ts'),
  sqlite: () => import('./sqlite/reproducer.ts'),
  drda: () => import('./drda/reproducer.ts'),
  mongodb: () => import('./mongodb/reproducer.ts'),
};

/** The parts of scripts that an engine knows; null: there are no scripts of it. No driver is loaded. */
export async function loadReproducer(id: string): Promise<Reproducer | null> {
  const loaded = Object.hasOwn(loaders, id) ? await loaders[id]!() : null;
  return loaded?.reproducer ?? null;
}
