import type { Engine } from '#engine-api/engine.ts';

/**
 * The engine with this id of the catalog. Drivers are heavy and may lack a native part: a worker imports only the one
 * of its engine, when it needs it.
 */
export async function loadEngine(id: string): Promise<Engine> {
  const { engine }: { readonly engine: Engine } = await import(`./${id}/engine.ts`);
  return engine;
}
