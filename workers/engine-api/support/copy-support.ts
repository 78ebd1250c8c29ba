import type { MethodName } from '#model/settings/vocabulary.ts';
import type { Support } from '../support.ts';

type Cells = { readonly [M in MethodName]?: Support };

const conflict = (one: Support['needs'] = {}, other: Support['needs'] = {}): boolean =>
  Object.entries(one).some(([name, value]) => other[name] !== undefined && other[name] !== value);

/**
 * The cells of copy, one for each method of inserting rows that the client sends with a message for each call.
 * `reads`: the way in which the source's rows are read; `needs`: options that reading needs.
 */
export const copySupport = (reads: string, insert: Cells, needs?: Support['needs']): Cells =>
  Object.fromEntries(
    Object.entries(insert)
      .filter(([, cell]) => !cell.serverData && !cell.batches && !conflict(cell.needs, needs))
      .map(([method, cell]) => [
        method,
        {
          ...cell,
          implementation: `${reads}; ${cell.implementation}`,
          uses: [...(cell.uses ?? []), 'fetchSize'],
          ...(needs && { needs: { ...cell.needs, ...needs } }),
        } satisfies Support,
      ]),
  );
