import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { appVersion } from '#platform/app-version.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';

const aboutSchema = v.object({
  name: v.string(),
  question: v.string(),
  targets: v.array(v.string()),
  problem: v.nullable(v.string()),
});
const fileSchema = v.object({ version: v.literal(appVersion), known: v.record(v.string(), aboutSchema) });

/** What a file of the library says of itself. */
export type About = Readonly<v.InferOutput<typeof aboutSchema>>;

/** What files say of themselves, by name and text, because parsing takes milliseconds a file. */
interface LibraryIndex {
  /** What a file says; `parse` finds out, if that is not known. */
  about(name: string, text: string, parse: () => About): About;
  /** Keeps for the next start what was asked for since this one. Its loss does no harm. */
  keep(): void;
}

/** Opens the index in a file, which another version of Dyno does not use: it may judge the files otherwise. */
export function openLibraryIndex(file: string): LibraryIndex {
  let kept: ReadonlyMap<string, About> | null = null;
  const asked = new Map<string, About>();
  const read = () => {
    const stored = v.safeParse(fileSchema, readJson(file));
    return new Map(stored.success ? Object.entries(stored.output.known) : []);
  };
  return {
    about(name, text, parse) {
      kept ??= read();
      const key = createHash('sha256').update(`${name}\n${text}`).digest('base64url');
      const about = asked.get(key) ?? kept.get(key) ?? parse();
      asked.set(key, about);
      return about;
    },
    keep() {
      const isNew = [...asked.keys()].some((key) => !kept?.has(key));
      if (!isNew) return;
      try {
        writeAtomically(file, JSON.stringify({ version: appVersion, known: Object.fromEntries(asked) }));
      } catch {
        // Then the next start parses the files again.
      }
    },
  };
}
