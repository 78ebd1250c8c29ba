import { once } from 'node:events';
import { createWriteStream, readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { crc32, deflateRawSync } from 'node:zlib';

/**
 * Writes the content of a folder as a ZIP file (APPNOTE 6.3.3, without ZIP64: less than 4 GiB). Entries have their
 * mode; names of directories are left out. `level` is zlib's: 0 stores.
 */
export async function writeZip(
  folder,
  file,
  { level = 6, prefix = '', isProgram = /** @type {(path: string) => boolean} */ (() => false) } = {},
) {
  const out = createWriteStream(file);
  const directory = [];
  let offset = 0;
  const write = async (bytes) => {
    offset += bytes.length;
    if (!out.write(bytes)) await once(out, 'drain');
  };
  for (const path of filesBelow(folder)) {
    const content = await readFile(join(folder, path));
    const { mode } = await stat(join(folder, path));
    const packed = level === 0 ? content : deflateRawSync(content, { level });
    const name = Buffer.from(prefix + path);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0); // version needed
    fields.writeUInt16LE(0x0800, 2); // names are UTF-8
    fields.writeUInt16LE(level === 0 ? 0 : 8, 4);
    fields.writeUInt16LE(0, 6); // time
    fields.writeUInt16LE(0x21, 8); // date: 1980-01-01, so that the same content makes the same file
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE(((0o100000 | (isProgram(path) ? 0o755 : mode & 0o777)) << 16) >>> 0, 6);
    attributes.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), fields, attributes, name);
    await write(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name]));
    await write(packed);
  }
  const start = offset;
  for (const part of directory) await write(part);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length / 4, 8);
  end.writeUInt16LE(directory.length / 4, 10);
  end.writeUInt32LE(offset - start, 12);
  end.writeUInt32LE(start, 16);
  await write(end);
  out.end();
  await finished(out);
}

/** Paths of all files below a folder, with slashes, sorted. */
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
