import { extname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A request from outside the window to open a file or a link. Dyno never runs any of its content. */
export type OpenWish = { readonly file: string } | { readonly link: string };

/** The files that Dyno opens, by file extension. */
const openedKinds = ['experiment', 'run', 'sql', 'csv'] as const;
type OpenedKind = (typeof openedKinds)[number];

/** The kind of a file, by its name alone; null if Dyno does not open such files. */
export function kindOfFile(path: string): OpenedKind | null {
  const name = path.toLowerCase();
  if (/\.ya?ml$/.test(name)) return 'experiment';
  const ending = extname(name);
  return ending === '.dyno-run' ? 'run' : ending === '.sql' ? 'sql' : ending === '.csv' ? 'csv' : null;
}

const mostWishes = 20;

/**
 * The files and links among the arguments of a start of Dyno, as passed by a file association. The arguments also
 * contain Chromium's own switches and the app's folder, so others are ignored.
 */
export function wishesOf(args: readonly string[], workingFolder: string): readonly OpenWish[] {
  return args.flatMap((argument) => wishOf(argument, workingFolder) ?? []).slice(0, mostWishes);
}

function wishOf(argument: string, workingFolder: string): OpenWish | null {
  if (/^dyno:/i.test(argument)) return { link: argument };
  if (argument.startsWith('-')) return null;
  const path = /^file:/i.test(argument) ? pathOf(argument) : argument;
  if (path === null || path.includes('\0') || kindOfFile(path) === null) return null;
  return { file: isAbsolute(path) ? path : resolve(workingFolder, path) };
}

function pathOf(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}
