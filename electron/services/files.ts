import { rename, rm, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import { DynoError, toErrorData } from '#contract/error.ts';

/** Kinds of files that leave or enter the app through a dialog. */
const kinds = {
  svg: 'SVG picture',
  png: 'PNG picture',
  csv: 'CSV table',
  html: 'HTML report',
  yaml: 'Dyno experiment',
  'dyno-run': 'Dyno run journal',
} as const;
export type FileKind = keyof typeof kinds;

/** The page never sees a path: it names content, the user names the place. */
export interface Files {
  /** Asks where, then writes. False when the user decides otherwise. Throws DynoError naming the file. */
  save(
    name: string,
    kind: FileKind,
    content: string | Uint8Array | ((path: string) => Promise<void>),
  ): Promise<boolean>;
  /** Asks for a file; null when the user decides otherwise. */
  choose(kind: FileKind): Promise<string | null>;
}

export function createFiles(window: BrowserWindow): Files {
  const choose = async (kind: FileKind): Promise<string | null> => {
    const extensions = kind === 'yaml' ? ['yaml', 'yml'] : [kind];
    const answer = await dialog.showOpenDialog(window, {
      properties: ['openFile'],
      filters: [
        { name: kinds[kind], extensions },
        { name: 'All files', extensions: ['*'] },
      ],
    });
    return answer.canceled ? null : (answer.filePaths[0] ?? null);
  };

  return {
    async save(name, kind, content) {
      const answer = await dialog.showSaveDialog(window, {
        defaultPath: withExtension(plainName(name), kind),
        filters: [{ name: kinds[kind], extensions: [kind] }],
      });
      if (answer.canceled || !answer.filePath) return false;
      const path = extname(answer.filePath) ? answer.filePath : `${answer.filePath}.${kind}`;
      await attempted(`${path} could not be written`, async () => {
        if (typeof content === 'function') await content(path);
        else await writeWhole(path, content);
      });
      return true;
    },
    choose,
  };
}

/** Under a temporary name first: a full disk must not leave half a file where there was a whole one. */
async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.part`;
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
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

/** A name that every file system takes, whatever the experiment is called. */
export const plainName = (name: string): string =>
  name
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must go
    .replaceAll(/[<>:"/\\|?*\u0000-\u001f]+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .slice(0, 120) || 'dyno';

const withExtension = (name: string, kind: FileKind): string => {
  const suffix = kind === 'yaml' ? '.dyno.yaml' : `.${kind}`;
  return name.endsWith(suffix) ? name : name + suffix;
};
