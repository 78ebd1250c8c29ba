import { createWriteStream, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The time of every entry: the same content makes the same file. */
const mtime = new Date(1980, 0, 1);

/**
 * Writes the content of a folder as a ZIP file. Entries have their mode; names of directories are left out. `level` is
 * zlib's: 0 stores.
 */
export async function writeZip(
  folder,
  file,
  { level = 6, prefix = '', isProgram = /** @type {(path: string) => boolean} */ (() => false) } = {},
) {
  const zip = new ZipFile();
  zip.on('error', (error) => zip.outputStream.destroy(error));
  for (const path of filesBelow(folder))
    zip.addFile(join(folder, path), prefix + path, {
      compressionLevel: level,
      mtime,
      forceDosTimestamp: true,
      ...(isProgram(path) && { mode: 0o100755 }),
    });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

/** Paths of all files below a folder, with slashes, sorted. */
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
