import { catalog } from '#engines/catalog.ts';

/** What everybody who looks at targets of these engines has to know, a line each; engines that have nothing to say are left out. */
export const noticesOf = (engines: readonly string[]): readonly string[] =>
  catalog
    .filter(({ descriptor }) => engines.includes(descriptor.id))
    .flatMap(({ descriptor: { label, notice } }) => (notice ? [`${label}: ${notice}`] : []));
