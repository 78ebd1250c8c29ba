import type { Engine } from '#engine-api/engine.ts';

/**
 * Loads an engine of the catalog by its id. Drivers are heavy and may lack a native part, so a worker imports the one
 * of its own engine, at its first use.
 */
export async function loadEngine(id: string): Promise<Engine> {
  const { engine }: { readonly engine: Engine } = await import(`./${id}/engine.ts`);
  return engine;
}
