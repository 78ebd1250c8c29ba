import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { iconIco } from '../icons.mjs';
import { mustRun } from '../tools.mjs';

/** Makes the installer for Windows, with NSIS, which runs on Linux, too. */
export async function makeNsis({ app, file, version }) {
  const icon = `${file}.ico`;
  await writeFile(icon, iconIco());
  try {
    const values = { VERSION: version, SOURCE: app, OUT: file, ICON: icon };
    const defines = Object.entries(values).map(([name, value]) => `-D${name}=${value}`);
    await mustRun('makensis', ['-V2', ...defines, join(import.meta.dirname, 'installer.nsi')]);
  } finally {
    await rm(icon, { force: true });
  }
}
