import type { BuiltInTarget } from '#engine-api/descriptor.ts';

/**
 * A built-in target for one version of a product, which the name `PRODUCT@VERSION` chooses. A managed server with this
 * name is the newest installation whose version begins with VERSION.
 */
export const builtInVersion = (
  name: string,
  product: string,
  version: string,
  settings = 'the server’s default settings',
): BuiltInTarget => ({
  target: `${name}@${version}`,
  label: `${product} ${version}`,
  version,
  about: `${product} ${version} with data of its own and ${settings}, to compare versions; Dyno starts and stops it.`,
  restartEmptiesCache: true,
});
