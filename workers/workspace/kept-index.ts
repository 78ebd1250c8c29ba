import * as v from 'valibot';
import { appVersion } from '#platform/app-version.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';

/** An index of files by their content or time of change, because reading them takes time. */
interface KeptIndex<T> {
  /** The entry under this key, or undefined. */
  get(key: string): T | undefined;
  set(key: string, value: T): T;
  /** Stores the entries that were requested since the start, for the next start. Its loss does no harm. */
  keep(): void;
}

/** Opens the index in a file. Other versions of Dyno do not use it, because they may read the files differently. */
export function openKeptIndex<T>(file: string, schema: v.GenericSchema<unknown, T>): KeptIndex<T> {
  const fileSchema = v.object({ version: v.literal(appVersion), known: v.record(v.string(), schema) });
  let kept: ReadonlyMap<string, T> | null = null;
  const asked = new Map<string, T>();
  const read = (): ReadonlyMap<string, T> => {
    const stored = v.safeParse(fileSchema, readJson(file));
    return new Map(stored.success ? Object.entries(stored.output.known) : []);
  };
  const set = (key: string, value: T): T => {
    asked.set(key, value);
    return value;
  };
  return {
    get(key) {
      kept ??= read();
      const value = asked.get(key) ?? kept.get(key);
      return value === undefined ? undefined : set(key, value);
    },
    set,
    keep() {
      const isNew = [...asked.keys()].some((key) => !kept?.has(key));
      if (!isNew) return;
      try {
        writeAtomically(file, JSON.stringify({ version: appVersion, known: Object.fromEntries(asked) }));
        kept = new Map(asked);
      } catch {
        // The next start then reads the files again.
      }
    },
  };
}
