import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { RecentFile } from '#protocol/opened.ts';
import { kindOfFile } from '../../open-wishes.ts';

/** The files outside of Dyno's folders that were opened last, newest first. */
export interface RecentFiles {
  add(path: string): void;
  /** The files that still exist. */
  list(): readonly RecentFile[];
  /** The path of a file of the list; null for any other id. */
  pathOf(id: string): string | null;
}

const most = 12;
const stored = v.array(v.object({ path: v.string(), openedAt: v.string() }));
type Stored = v.InferOutput<typeof stored>;

const idOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);

/** `file`: where the list is kept. A damaged one counts as empty. */
export function createRecentFiles(file: string): RecentFiles {
  const read = v.safeParse(stored, readJson(file));
  let all: Stored = read.success ? read.output : [];
  return {
    add(path) {
      const others = all.filter((one) => one.path !== path);
      all = [{ path, openedAt: new Date().toISOString() }, ...others].slice(0, most);
      writeAtomically(file, JSON.stringify(all));
    },
    list: () =>
      all.flatMap(({ path, openedAt }) => {
        const kind = kindOfFile(path);
        return kind && existsSync(path) ? [{ id: idOf(path), name: basename(path), kind, openedAt }] : [];
      }),
    pathOf: (id) => all.find(({ path }) => idOf(path) === id)?.path ?? null,
  };
}
