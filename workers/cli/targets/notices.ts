import { catalog } from '#engines/catalog.ts';

/** The notices of these engines, one line each; engines without a notice are left out. */
export const noticesOf = (engines: readonly string[]): readonly string[] =>
  catalog
    .filter(({ descriptor }) => engines.includes(descriptor.id))
    .flatMap(({ descriptor: { label, notice } }) => (notice ? [`${label}: ${notice}`] : []));
