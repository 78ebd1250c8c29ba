import type { Link } from './link.ts';

/** The documents of a request. The server makes the next page from the last id of the previous one. */
const pageSize = 2_048;

interface Stored {
  readonly '@metadata': { readonly '@id': string };
}

/** Pages of all documents whose ids begin with `prefix`, in the order of their ids. */
export async function* pages<D>(link: Link, prefix: string): AsyncGenerator<readonly (D & Stored)[]> {
  const path = `/docs?startsWith=${encodeURIComponent(prefix)}&start=0&pageSize=${pageSize}`;
  let after = '';
  for (;;) {
    const answer = (await link.ask({ path: `${path}${after}` })) as {
      readonly Results: readonly (D & Stored)[];
    } | null;
    const documents = answer?.Results ?? [];
    if (documents.length > 0) yield documents;
    if (documents.length < pageSize) return;
    after = `&startAfter=${encodeURIComponent(documents.at(-1)!['@metadata']['@id'])}`;
  }
}
