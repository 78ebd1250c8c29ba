import type { IndexBytes, StoredBytes } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';

/**
 * The bytes of the indexes of a table. `listed`: bytes by the names in the server's catalog, each index once; `nameOf`:
 * the catalog's spelling of a name. An index that the catalog does not list is not there; if `why` is given, the
 * catalog does not list all indexes, and the missing ones get this reason.
 */
export function eachIndex(
  { indexes = [] }: Pick<TablePlan, 'indexes'>,
  listed: Iterable<readonly [name: string, bytes: number]>,
  { nameOf = (name) => name, why }: { readonly nameOf?: (name: string) => string; readonly why?: string } = {},
): StoredBytes['eachIndex'] {
  const found = new Map(listed);
  return Object.fromEntries(
    indexes.flatMap(({ name }): readonly (readonly [string, IndexBytes])[] => {
      const bytes = found.get(nameOf(name));
      return bytes !== undefined ? [[name, bytes]] : why === undefined ? [] : [[name, { why }]];
    }),
  );
}
