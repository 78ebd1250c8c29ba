import { join } from 'node:path';
import * as v from 'valibot';
import { readJson } from './json-file.ts';
import { projectRoot } from './paths.ts';

const noteSchema = v.object({ version: v.string(), from: v.nullable(v.string()), declared: v.string() });

/** The Electron that runs the window. */
interface WindowRuntime {
  /** Electron's version. */
  readonly electron: string;
  /** The npm package or folder that it is from; null: Electron's own download. */
  readonly from: string | null;
  /** The version that Dyno declares: of a release that gets security fixes. */
  readonly declared: string;
}

/**
 * Reads which Electron runs the window from the note of what fetched it (electron/setup/window/electron.mjs); null
 * where none was fetched yet, as on a machine that has only run the command line.
 */
export function windowRuntime(file = join(projectRoot, 'dist/electron.json')): WindowRuntime | null {
  const note = v.safeParse(noteSchema, readJson(file));
  if (!note.success) return null;
  const { version, from, declared } = note.output;
  return { electron: version, from, declared };
}

/** A sentence on the Electron of the window. An older major version than the declared one is a fallback. */
export function windowRuntimeText({ electron, from, declared }: WindowRuntime): string {
  const major = (version: string) => Number(version.split('.')[0]);
  const source = from === null ? '' : ` from ${from}`;
  if (major(electron) >= major(declared)) return `Electron ${electron}${source}`;
  return `Electron ${electron}${source}: a fallback without security fixes, used because Electron ${declared} could not be downloaded`;
}
