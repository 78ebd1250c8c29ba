import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import { DynoError, toErrorData } from '#model/error.ts';
import { writeAtomically } from '#platform/json-file.ts';
import { printDocument } from './print-document.ts';

/** Kinds of files that dialogs save and open. */
const kinds = {
  svg: 'SVG picture',
  png: 'PNG picture',
  csv: 'CSV table',
  html: 'HTML report',
  pdf: 'PDF report',
  md: 'Markdown report',
  yaml: 'Dyno experiment',
  'dyno-run': 'Dyno run file',
  mjs: 'Script for Node',
  java: 'Script for Java',
} as const;
type FileKind = keyof typeof kinds;

/**
 * Saves and opens files through dialogs. The page provides content, the user chooses a file; no path goes to the page.
 */
export interface Files {
  /**
   * Asks for a file, writes it and returns its path; null if the user cancels. Throws a DynoError that names the file.
   */
  save(
    name: string,
    kind: FileKind,
    content: string | Uint8Array | ((path: string) => Promise<void>),
  ): Promise<string | null>;
  /**
   * Asks for a folder, and writes a new folder in it; returns its path, or null if the user cancels. Throws a DynoError
   * that names the folder.
   */
  saveFolder(name: string, write: (path: string) => Promise<void>): Promise<string | null>;
  /** Asks for a file to open: of one kind, or of those that Dyno opens or fills tables from. Null: the user cancels. */
  choose(kind: FileKind | 'any' | 'connections' | 'rows'): Promise<string | null>;
  /** Prints an HTML document by the system's dialog; false if the user cancels. Throws as printDocument does. */
  print(html: string): Promise<boolean>;
  /** Asks for the product of a script; null: none of these products. */
  chooseDialect(script: string, labels: readonly string[]): Promise<number | null>;
}

export function createFiles(window: BrowserWindow): Files {
  const choose: Files['choose'] = async (kind) => {
    const answer = await dialog.showOpenDialog(
      window,
      kind === 'connections'
        ? // Most of the files that hold connections are hidden ones, and have no extension.
          { properties: ['openFile', 'showHiddenFiles'], filters: [{ name: 'All files', extensions: ['*'] }] }
        : { properties: ['openFile'], filters: [filterOf(kind), { name: 'All files', extensions: ['*'] }] },
    );
    return answer.canceled ? null : (answer.filePaths[0] ?? null);
  };
  const mayReplace = async (path: string): Promise<boolean> => {
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: `“${basename(path)}” exists already.`,
      detail: 'Replacing it overwrites what is in it.',
      buttons: ['Cancel', 'Replace'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    return response === 1;
  };

  return {
    async save(name, kind, content) {
      const answer = await dialog.showSaveDialog(window, {
        defaultPath: withExtension(plainName(name), kind),
        filters: [{ name: kinds[kind], extensions: [kind] }],
        properties: ['showOverwriteConfirmation'],
      });
      if (answer.canceled || !answer.filePath) return null;
      const path = extname(answer.filePath) ? answer.filePath : `${answer.filePath}.${kind}`;
      // The dialog asked before overwriting the typed name, which had no extension.
      if (path !== answer.filePath && existsSync(path) && !(await mayReplace(path))) return null;
      await attempted(`${path} could not be written`, async () => {
        if (typeof content === 'function') await content(path);
        else writeAtomically(path, content, 0o666);
      });
      return path;
    },
    async saveFolder(name, write) {
      const answer = await dialog.showOpenDialog(window, {
        buttonLabel: 'Save here',
        properties: ['openDirectory', 'createDirectory'],
      });
      const [place] = answer.filePaths;
      if (answer.canceled || place === undefined) return null;
      const path = freeName(join(place, plainName(name)));
      await attempted(`${path} could not be written`, () => write(path));
      return path;
    },
    choose,
    print: (html) => printDocument(window, html),
    async chooseDialect(script, labels) {
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: `For which product was “${script}” written?`,
        detail:
          'Nothing in it says so, and products read it otherwise: quotes, backslashes and the ends of statements.',
        buttons: ['Standard SQL', ...labels],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      });
      return response === 0 ? null : response - 1;
    },
  };
}

const yaml = ['yaml', 'yml'];

/** `any`: of the kinds that Dyno opens (open-wishes.ts). */
function filterOf(kind: FileKind | 'any' | 'rows'): { readonly name: string; readonly extensions: string[] } {
  if (kind === 'any') return { name: 'What Dyno opens', extensions: [...yaml, 'dyno-run', 'sql', 'csv'] };
  if (kind === 'rows')
    return {
      name: 'CSV, NDJSON and Parquet',
      extensions: ['csv', 'tsv', 'txt', 'ndjson', 'jsonl', 'json', 'parquet', 'pq', 'gz', 'zst'],
    };
  return { name: kinds[kind], extensions: kind === 'yaml' ? yaml : [kind] };
}

async function attempted<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    if (thrown instanceof DynoError) throw thrown;
    const data = toErrorData(thrown);
    const hint = data.kind === 'diskFull' ? 'Free some space or choose another disk.' : 'Choose another folder.';
    throw new DynoError(data.kind === 'internal' ? 'other' : data.kind, `${what}: ${data.message}`, { ...data, hint });
  }
}

/** The path, with a number behind it if it exists. */
function freeName(path: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${path} ${number}`;
    if (!existsSync(free)) return free;
  }
}

/** The name with only the characters that every file system allows. */
const plainName = (name: string): string =>
  name
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must go
    .replaceAll(/[<>:"/\\|?*\u0000-\u001f]+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .slice(0, 120) || 'dyno';

const withExtension = (name: string, kind: FileKind): string => {
  const suffix = kind === 'yaml' ? '.dyno.yaml' : `.${kind}`;
  return name.endsWith(suffix) ? name : name + suffix;
};
